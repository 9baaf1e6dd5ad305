import { SegmentedControl, Text } from '@mantine/core';
import { WindowPicker } from '../../../components/filters/window-picker.tsx';
import { LoadMore, usePages } from '../../../components/lists/load-more.tsx';
import { PageTitle, QueryState } from '../../../components/query-state.tsx';
import { useFilters } from '../../../lib/search.ts';
import { useView } from '../../../lib/session.ts';
import { ExportButton } from '../filters/export-button.tsx';
import { FilterBar } from '../filters/filter-bar.tsx';
import { filterNames, queryOf, useInsightFilters } from '../filters/insight-filters.ts';
import { WhyEmpty } from '../why-empty.tsx';
import type { BreakdownPage } from '../wire.ts';
import { CompareTable } from './compare-table.tsx';
import { SourceSeverities } from './source-severities.tsx';
import { Together } from './together.tsx';

export const groupings = [
  { value: 'repository', label: 'Repositories' },
  { value: 'author', label: 'Authors' },
  { value: 'team', label: 'Teams' },
  { value: 'source', label: 'Reviewers' },
] as const;

/** Repositories, authors, teams or reviewers side by side, in the order of their names. */
export default function ComparePage() {
  const view = useView();
  const [{ by: chosen }, change] = useFilters();
  const by = groupings.find(({ value }) => value === chosen)?.value ?? 'repository';
  const filters = useInsightFilters();
  const query = usePages<BreakdownPage>(
    ['insight-compare', view.id, by, filters],
    'insights/breakdown',
    view,
    {
      ...queryOf(filters),
      by,
    },
  );
  return (
    <>
      <PageTitle
        title="Compare"
        about={`Pull requests merged in ${view.name} in this period, and the comments on them`}
      >
        <WindowPicker />
        <ExportButton list="breakdown" query={{ by }} />
      </PageTitle>
      <SegmentedControl
        aria-label="What to compare"
        mb="md"
        data={[...groupings]}
        value={by}
        onChange={(value) => change({ by: value })}
      />
      <FilterBar />
      {by === 'author' && (
        <Text size="sm" c="dimmed" mb="md">
          Sorted by name. These numbers depend more on what people work on than on how well they work: use
          them to talk with people, not about them.
        </Text>
      )}
      {by === 'team' && (
        <Text size="sm" c="dimmed" mb="md">
          People in several teams count in each of them, so the teams can add up to more than the total.
          Earlier pull requests count for the current teams of their authors.
        </Text>
      )}
      <QueryState query={query}>
        {({ pages }) => {
          const groups = pages.flatMap(({ data }) => data);
          return groups.length === 0 ? (
            <WhyEmpty
              title="Nothing to compare"
              shows="page"
              from={filters.from}
              to={filters.to}
              repository={filters.repository}
              isFiltered={filterNames.some((name) => filters[name] !== undefined)}
            />
          ) : (
            <>
              <CompareTable by={by} groups={groups} />
              <LoadMore query={query} />
            </>
          );
        }}
      </QueryState>
      {by === 'source' && <SourceSeverities />}
      <Together />
    </>
  );
}
