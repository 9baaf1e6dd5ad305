import { Anchor, Text } from '@mantine/core';
import { useMemo } from 'react';
import { FilterGrid } from '../../components/filters/filter-grid.tsx';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { RepositorySelect } from '../../components/filters/repository-select.tsx';
import { DataTable } from '../../components/lists/data-table.tsx';
import { usePages } from '../../components/lists/load-more.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import type { MorePages } from '../../components/lists/virtual-list.tsx';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { formatInstant } from '../../lib/format.ts';
import { useRepositoryNames } from '../../lib/repositories.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import type { Override, OverridePage } from './wire.ts';

/** Who overrode which check on which pull request, when and why. */
export function OverrideList({ view }: { view: View }) {
  const [{ repository, search }, change] = useFilters();
  const filters = { repository_ids: repository, check: search };
  const query = usePages<OverridePage>(['overrides', view.id, filters], 'reviews/overrides', view, filters);
  return (
    <>
      <FilterGrid>
        <RepositorySelect view={view} value={repository} onChange={(id) => change({ repository: id })} />
        <FilterText label="Check" placeholder="e.g. title" />
      </FilterGrid>
      <QueryState query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          return rows.length === 0 ? (
            <Empty title="No overrides">
              Admins can override a check with a comment on the pull request: @account override CHECK REASON
            </Empty>
          ) : (
            <Table view={view} rows={rows} more={query} />
          );
        }}
      </QueryState>
    </>
  );
}

function Table({ view, rows, more }: { view: View; rows: readonly Override[]; more: MorePages }) {
  const names = useRepositoryNames(view, [...new Set(rows.map(({ repository_id }) => repository_id))]);
  const columns = useMemo(
    (): Column<Override>[] => [
      {
        label: 'Check',
        minWidth: 90,
        cell: ({ check }) => (
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {check}
          </Text>
        ),
      },
      {
        label: 'Pull request',
        minWidth: 120,
        cell: ({ repository_id, pull_request, pr_url }) => (
          <Anchor href={pr_url} target="_blank" rel="noreferrer" style={{ overflowWrap: 'anywhere' }}>
            {names.get(repository_id) ?? repository_id} #{pull_request}
          </Anchor>
        ),
      },
      { label: 'By', cell: ({ actor }) => actor.username },
      {
        label: 'Reason',
        minWidth: 160,
        cell: ({ reason }) => <span style={{ overflowWrap: 'anywhere' }}>{reason}</span>,
      },
      {
        label: 'When',
        minWidth: 130,
        cell: ({ created_at, ended_at, comment_url }) => (
          <div>
            <Anchor href={comment_url} target="_blank" rel="noreferrer">
              {formatInstant(created_at)}
            </Anchor>
            <Text size="xs" c="dimmed">
              {ended_at === null ? 'In effect' : `Until ${formatInstant(ended_at)}`}
            </Text>
          </div>
        ),
      },
    ],
    [names],
  );
  return <DataTable label="Overrides" columns={columns} rows={rows} rowKey={({ id }) => id} more={more} />;
}
