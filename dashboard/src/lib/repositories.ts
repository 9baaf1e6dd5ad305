import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { organizationSettings } from '../../../src/capabilities/organization-settings/schemas.ts';
import { api } from './api.ts';
import type { View } from './session.ts';

type Settings = z.output<typeof organizationSettings>;

/** The server names at most this many at once. */
const batchSize = 100;

async function readNames(view: View, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const batches = Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) =>
    ids.slice(index * batchSize, (index + 1) * batchSize),
  );
  const pages = await Promise.all(
    batches.map((batch) =>
      api<Settings>('GET', 'settings', { scope: view, query: { repository_ids: batch.join(',') } }),
    ),
  );
  return new Map(
    pages.flatMap(({ repositories }) => repositories.map(({ repository_id, name }) => [repository_id, name])),
  );
}

/** Whether the person may see which repositories there are. */
export const maySeeRepositories = (view: View) =>
  view.kind === 'organization' && view.may('organization_management:read');

/** The names of these repositories, by id; none for a workspace or without permission to see them. */
export function useRepositoryNames(view: View, ids: readonly string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(ids)].sort();
  const { data } = useQuery({
    queryKey: ['repository-names', view.id, wanted],
    queryFn: () => readNames(view, wanted),
    enabled: wanted.length > 0 && maySeeRepositories(view),
    placeholderData: keepPreviousData,
  });
  return data ?? new Map();
}
