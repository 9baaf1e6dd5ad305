import { Anchor, Button, SimpleGrid, Text } from '@mantine/core';
import { useMemo } from 'react';
import { FilterGrid } from '../../components/filters/filter-grid.tsx';
import { RepositorySelect } from '../../components/filters/repository-select.tsx';
import { DataTable } from '../../components/lists/data-table.tsx';
import { usePages } from '../../components/lists/load-more.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import type { MorePages } from '../../components/lists/virtual-list.tsx';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { Tile } from '../../components/tile.tsx';
import { apiUrl } from '../../lib/api.ts';
import { daysAgo, formatNumber, formatPercent } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import { DaysSelect } from './days-select.tsx';
import type { Measure, MeasurePage } from './wire.ts';

/** How often checks fail and are overridden, and how long it takes until they pass. */
export function MeasureList({ view }: { view: View }) {
  const [{ repository, days = '30' }, change] = useFilters();
  const filters = { repository_ids: repository, start_date: daysAgo(Number(days) - 1) };
  const query = usePages<MeasurePage>(
    ['check-metrics', view.id, filters],
    'reviews/checks/metrics',
    view,
    filters,
  );
  return (
    <>
      <FilterGrid>
        <RepositorySelect view={view} value={repository} onChange={(id) => change({ repository: id })} />
        <DaysSelect />
        <Button
          component="a"
          variant="default"
          href={apiUrl('reviews/checks/metrics', view, { ...filters, format: 'csv', limit: 1000 })}
          download="checks.csv"
        >
          Download CSV
        </Button>
      </FilterGrid>
      <QueryState query={query}>
        {({ pages }) => (
          <Board total={pages[0]!.total} rows={pages.flatMap(({ data }) => data)} more={query} />
        )}
      </QueryState>
    </>
  );
}

const share = (part: number, of: number) => (of === 0 ? '–' : formatPercent(part / of));

/** A duration in minutes, hours or days, in the unit that needs few digits. */
function duration(hours: number | null): string {
  if (hours === null) return '–';
  if (hours < 1) return `${Math.round(hours * 60)} min`;
  return hours < 48 ? `${Math.round(hours * 10) / 10} h` : `${Math.round(hours / 2.4) / 10} days`;
}

function Board({ total, rows, more }: { total: Measure; rows: readonly Measure[]; more: MorePages }) {
  const [, change] = useFilters();
  const columns = useMemo((): Column<Measure>[] => {
    const toFailed = (check: string) => () => change({ show: undefined, search: check, days: undefined });
    return columnsWith(toFailed);
  }, [change]);
  if (total.pull_requests === 0 && rows.length === 0)
    return (
      <Empty title="No checked pull requests">
        No pull request was checked for the first time in this period.
      </Empty>
    );
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }} mb="lg">
        <Tile
          label="Pull requests"
          value={formatNumber(total.pull_requests)}
          about="First checked in this period"
        />
        <Tile
          label="Failed"
          value={share(total.failed, total.pull_requests)}
          about={`${formatNumber(total.failed)} pull requests, at least once`}
        />
        <Tile
          label="Time to pass"
          value={duration(total.median_hours_to_green)}
          about={`Median; 90% within ${duration(total.p90_hours_to_green)}`}
        />
        <Tile label="Overrides" value={formatNumber(total.overrides)} about="Of all checks" />
      </SimpleGrid>
      <DataTable
        label="Check statistics"
        columns={columns}
        rows={rows}
        rowKey={({ check }) => check}
        more={more}
      />
    </>
  );
}

function columnsWith(toFailed: (check: string) => () => void): Column<Measure>[] {
  return [
    {
      label: 'Check',
      minWidth: 110,
      cell: ({ check }) => (
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {check}
        </Text>
      ),
    },
    { label: 'Pull requests', align: 'right', cell: ({ pull_requests }) => formatNumber(pull_requests) },
    {
      label: 'Failed',
      align: 'right',
      cell: ({ check, failed, pull_requests }) =>
        failed === 0 ? (
          '0'
        ) : (
          <Anchor component="button" type="button" onClick={toFailed(check)}>
            {formatNumber(failed)} ({share(failed, pull_requests)})
          </Anchor>
        ),
    },
    { label: 'Overridden', align: 'right', cell: ({ overrides }) => formatNumber(overrides) },
    {
      label: 'Time to pass',
      align: 'right',
      minWidth: 110,
      cell: ({ median_hours_to_green, p90_hours_to_green, became_green }) => (
        <div>
          {duration(median_hours_to_green)}
          {became_green > 0 && (
            <Text size="xs" c="dimmed">
              median of {formatNumber(became_green)}; 90% within {duration(p90_hours_to_green)}
            </Text>
          )}
        </div>
      ),
    },
  ];
}
