import { Title } from '@mantine/core';
import { usePages } from '../../../components/lists/load-more.tsx';
import type { Column } from '../../../components/lists/table-frame.tsx';
import { TableRegion } from '../../../components/lists/table-region.tsx';
import { QueryState } from '../../../components/query-state.tsx';
import { formatNumber, humanize } from '../../../lib/format.ts';
import { useView } from '../../../lib/session.ts';
import { queryOf, useInsightFilters } from '../filters/insight-filters.ts';
import { InsightLink } from '../insight-link.tsx';
import { aboveChanceText, acceptanceText } from '../measures/acceptance-text.ts';
import { sourceName } from '../measures/source-name.ts';
import { compareSeverities, unspecified } from '../measures/vocabulary.ts';
import type { BreakdownGroup, BreakdownPage } from '../wire.ts';

const columns: readonly Column<BreakdownGroup>[] = [
  { label: 'Reviewer', cell: ({ id }) => sourceName(id ?? 'reported') },
  {
    label: 'Severity',
    cell: ({ severity }) => (severity === null ? unspecified.label : humanize(severity)),
  },
  {
    label: 'Comments',
    cell: ({ id, severity, posted }) => (
      <InsightLink
        page="comments"
        filters={{ source: id ?? undefined, severity: severity ?? unspecified.value }}
      >
        {formatNumber(posted)}
      </InsightLink>
    ),
  },
  { label: 'Accepted', cell: acceptanceText },
  { label: 'Above chance', cell: aboveChanceText },
];

/** What each reviewer posted by severity, and how much of it was accepted: few serious comments can be worth more than many small ones. */
export function SourceSeverities() {
  const view = useView();
  const filters = useInsightFilters();
  const query = usePages<BreakdownPage>(
    ['insight-severities', view.id, filters],
    'insights/breakdown',
    view,
    {
      ...queryOf(filters),
      by: 'source_and_severity',
      limit: 200,
    },
  );
  return (
    <section aria-labelledby="severities">
      <Title order={2} mt="xl" mb="sm" id="severities">
        By severity
      </Title>
      <QueryState query={query} lines={3}>
        {({ pages }) => (
          <TableRegion
            label="Reviewers by severity"
            columns={columns}
            rows={pages
              .flatMap(({ data }) => data)
              .toSorted(
                (a, b) => (a.id ?? '').localeCompare(b.id ?? '') || compareSeverities(a.severity, b.severity),
              )}
            rowKey={({ id, severity }) => `${id}/${severity}`}
          />
        )}
      </QueryState>
    </section>
  );
}
