import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { organizationSettings } from '../../../src/capabilities/organization-settings/schemas.ts';
import { api } from './api.ts';
import { readInBatches } from './named.ts';
import type { View } from './session.ts';

type Settings = z.output<typeof organizationSettings>;

function readNames(view: View, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return readInBatches(ids, async (batch) => {
    const query = { repository_ids: batch.join(',') };
    const { repositories } = await api<Settings>('GET', 'settings', { scope: view, query });
    return repositories.map(({ repository_id, name }) => [repository_id, name] as const);
  });
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
