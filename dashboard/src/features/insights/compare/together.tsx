import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { QueryState } from '../../../components/query-state.tsx';
import { api } from '../../../lib/api.ts';
import { useView } from '../../../lib/session.ts';
import { OutcomesOverTime } from '../../overview/outcomes-over-time.tsx';
import { PullRequestTiles } from '../../overview/pull-request-tiles.tsx';
import { TimesOverTime } from '../../overview/times-over-time.tsx';
import { queryOf, useInsightFilters } from '../filters/insight-filters.ts';
import type { WindowSummary } from '../wire.ts';

function commentsOf({ date, posted, accepted, not_accepted }: WindowSummary['trend'][number]) {
  return { date, posted, accepted, not_accepted, unknown: posted - accepted - not_accepted };
}

/** The totals of everything that the filters select, compared to the previous period, and their trend. */
export function Together() {
  const view = useView();
  const filters = useInsightFilters();
  const query = useQuery({
    queryKey: ['insight-together', view.id, filters],
    queryFn: () => api<WindowSummary>('GET', 'insights/summary', { scope: view, query: queryOf(filters) }),
  });
  if (query.data?.total.pull_requests === 0) return null;
  return (
    <section aria-labelledby="together">
      <Title order={2} mt="xl" mb="sm" id="together">
        Total
      </Title>
      <QueryState query={query} lines={3}>
        {(insights) => (
          <Stack>
            <PullRequestTiles insights={insights} filters={{}} />
            {insights.total.posted > 0 && (
              <OutcomesOverTime
                days={insights.trend.map(commentsOf)}
                from={filters.from}
                to={filters.to}
                filters={filters}
              />
            )}
            <TimesOverTime insights={insights} />
          </Stack>
        )}
      </QueryState>
    </section>
  );
}
