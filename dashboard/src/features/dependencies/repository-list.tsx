import { Anchor, Text } from '@mantine/core';
import { useMemo } from 'react';
import { DataTable } from '../../components/lists/data-table.tsx';
import { usePages } from '../../components/lists/load-more.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { apiUrl } from '../../lib/api.ts';
import { formatInstant, formatNumber } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import type { Inventory, InventoryPage } from './wire.ts';

/** The repositories with an inventory of dependencies: its size, its age, and a download for other tools. */
export function RepositoryList({ view }: { view: View }) {
  const [, change] = useFilters();
  const query = usePages<InventoryPage>(
    ['dependency-inventories', view.id],
    'dependencies/repositories',
    view,
    {},
  );
  const columns = useMemo((): Column<Inventory>[] => {
    const toPackages = (repository: string, affected?: string) => () =>
      change({ show: undefined, repository, affected, search: undefined, ecosystem: undefined });
    return [
      {
        label: 'Repository',
        minWidth: 130,
        cell: ({ repository_name, notes }) => (
          <div style={{ overflowWrap: 'anywhere' }}>
            {repository_name}
            {notes.map((note) => (
              <Text key={note} size="xs" c="dimmed">
                {note}
              </Text>
            ))}
          </div>
        ),
      },
      {
        label: 'Packages',
        align: 'right',
        cell: ({ repository_id, packages }) => (
          <Anchor component="button" type="button" onClick={toPackages(repository_id)}>
            {formatNumber(packages)}
          </Anchor>
        ),
      },
      {
        label: 'Vulnerable',
        align: 'right',
        cell: ({ repository_id, affected }) =>
          affected === 0 ? (
            '0'
          ) : (
            <Anchor component="button" type="button" onClick={toPackages(repository_id, 'true')}>
              {formatNumber(affected)}
            </Anchor>
          ),
      },
      {
        label: 'Last read',
        cell: ({ read_at, revision }) =>
          read_at === null ? 'Not yet' : `${formatInstant(read_at)}, ${revision?.slice(0, 10) ?? 'empty'}`,
      },
      {
        label: 'SBOM (CycloneDX)',
        cell: ({ repository_id, repository_name, read_at }) =>
          read_at !== null && (
            <Anchor
              href={apiUrl('dependencies/sbom', view, { repository_id })}
              download
              aria-label={`Download SBOM of ${repository_name}`}
            >
              Download
            </Anchor>
          ),
      },
    ];
  }, [view, change]);
  return (
    <QueryState query={query}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data);
        return rows.length === 0 ? (
          <Empty title="No repositories">Repositories appear here when a connection reviews them.</Empty>
        ) : (
          <DataTable
            label="Repositories"
            columns={columns}
            rows={rows}
            rowKey={({ repository_id }) => repository_id}
            more={query}
          />
        );
      }}
    </QueryState>
  );
}
