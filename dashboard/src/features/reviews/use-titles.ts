import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { runTitles } from '../../../../src/capabilities/reviews/reviewed-pull-requests/showing/schemas.ts';
import { api } from '../../lib/api.ts';
import { readInBatches } from '../../lib/named.ts';
import type { View } from '../../lib/session.ts';
import type { RunSummary } from './wire.ts';

/** The titles of the pull requests of these reviews, by the id of the review; unknown ones are left out. */
export function useTitles(view: View, runs: readonly RunSummary[]): ReadonlyMap<string, string> {
  const wanted = runs.flatMap(({ id, pull_request }) => (pull_request === null ? [] : [id])).sort();
  const { data } = useQuery({
    queryKey: ['review-titles', view.id, wanted],
    queryFn: () =>
      readInBatches(wanted, async (batch) => {
        const query = { runs: batch.join(',') };
        const titles = await api<z.output<typeof runTitles>>('GET', 'review-titles', { scope: view, query });
        return titles.data.map(({ id, title }) => [id, title] as const);
      }),
    enabled: wanted.length > 0,
    placeholderData: keepPreviousData,
  });
  return data ?? new Map();
}
