import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import type { commentSummary } from '../../../../src/capabilities/review-metrics/schemas.ts';
import { useWindow } from '../../components/filters/window-picker.tsx';
import { ErrorMessage, Loading, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { humanize } from '../../lib/format.ts';
import { useView } from '../../lib/session.ts';
import type { InsightFilters } from '../insights/filters/insight-filters.ts';
import type { Outcomes } from '../insights/measures/acceptance.ts';
import { compareSeverities, unspecified } from '../insights/measures/vocabulary.ts';
import { OutcomeRows } from '../insights/outcome-rows.tsx';
import { WhyEmpty } from '../insights/why-empty.tsx';
import type { WindowSummary } from '../insights/wire.ts';
import { CommentTiles } from './comment-tiles.tsx';
import { OutcomesOverTime } from './outcomes-over-time.tsx';
import { PullRequestTiles } from './pull-request-tiles.tsx';
import { TimesOverTime } from './times-over-time.tsx';

type Summary = z.output<typeof commentSummary>;

/** The statistics of the window, for all repositories or one. */
export function Panels({ repository, children }: { repository?: string; children: ReactNode }) {
  const view = useView();
  const { from, to } = useWindow();
  const query = { start_date: from, end_date: to, repository_ids: repository };
  const summary = useQuery({
    queryKey: ['summary', view.id, query],
    queryFn: () => api<Summary>('GET', 'metrics/summary', { scope: view, query }),
  });
  const insights = useQuery({
    queryKey: ['insight-summary', view.id, query],
    queryFn: () => api<WindowSummary>('GET', 'insights/summary', { scope: view, query }),
    enabled: summary.isSuccess,
  });
  const filters: InsightFilters = repository === undefined ? {} : { repository };
  return (
    <QueryState query={summary}>
      {({ total, days, severities, categories }) => (
        <Stack gap="lg">
          {insights.isPending && <Loading lines={1} />}
          {insights.isError && (
            <ErrorMessage error={insights.error} onRetry={() => void insights.refetch()} />
          )}
          {insights.isSuccess && <PullRequestTiles insights={insights.data} filters={filters} />}
          {total.posted === 0 ? (
            <WhyEmpty
              title="No comments on merged pull requests in this period"
              shows="page"
              from={from}
              to={to}
              repository={repository}
            />
          ) : (
            <>
              <CommentTiles total={total} insights={insights.data} filters={filters} />
              <OutcomesOverTime days={days} from={from} to={to} filters={filters} />
            </>
          )}
          {insights.isSuccess && <TimesOverTime insights={insights.data} />}
          {total.posted > 0 && (
            <>
              <OutcomeRows
                title="By severity"
                by="Severity"
                rows={named(
                  severities.toSorted((a, b) => compareSeverities(a.name, b.name)),
                  (severity) => ({ ...filters, severity }),
                )}
              />
              <OutcomeRows
                title="By category"
                by="Category"
                rows={named(categories, (category) => ({ ...filters, category }))}
              />
            </>
          )}
          {children}
        </Stack>
      )}
    </QueryState>
  );
}

function named(
  rows: readonly (Outcomes & { name: string | null })[],
  filtersOf: (name: string) => InsightFilters,
) {
  return rows.map(({ name, ...outcomes }) => ({
    key: name ?? '',
    name: name === null ? unspecified.label : humanize(name),
    filters: filtersOf(name ?? unspecified.value),
    ...outcomes,
  }));
}
