import { Table, Title } from '@mantine/core';
import { usePages } from '../../../components/lists/load-more.tsx';
import { TableRegion } from '../../../components/lists/table-region.tsx';
import { QueryState } from '../../../components/query-state.tsx';
import { formatNumber, humanize } from '../../../lib/format.ts';
import { useView } from '../../../lib/session.ts';
import { queryOf, useInsightFilters } from '../filters/insight-filters.ts';
import { InsightLink } from '../insight-link.tsx';
import { aboveChanceText, acceptanceText } from '../measures/acceptance-text.ts';
import { sourceName } from '../measures/source-name.ts';
import { compareSeverities, unspecified } from '../measures/vocabulary.ts';
import type { BreakdownPage } from '../wire.ts';

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
            minWidth={620}
            columns={['Reviewer', 'Severity', 'Comments', 'Accepted', 'Above chance']}
          >
            {pages
              .flatMap(({ data }) => data)
              .toSorted(
                (a, b) => (a.id ?? '').localeCompare(b.id ?? '') || compareSeverities(a.severity, b.severity),
              )
              .map((group) => (
                <Table.Tr key={`${group.id}/${group.severity}`}>
                  <Table.Td>{sourceName(group.id ?? 'reported')}</Table.Td>
                  <Table.Td>
                    {group.severity === null ? unspecified.label : humanize(group.severity)}
                  </Table.Td>
                  <Table.Td>
                    <InsightLink
                      page="comments"
                      filters={{
                        source: group.id ?? undefined,
                        severity: group.severity ?? unspecified.value,
                      }}
                    >
                      {formatNumber(group.posted)}
                    </InsightLink>
                  </Table.Td>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>{acceptanceText(group)}</Table.Td>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>{aboveChanceText(group)}</Table.Td>
                </Table.Tr>
              ))}
          </TableRegion>
        )}
      </QueryState>
    </section>
  );
}
