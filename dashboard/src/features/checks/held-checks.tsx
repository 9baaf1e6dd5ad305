import { Alert, Badge, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FilterGrid } from '../../components/filters/filter-grid.tsx';
import { RepositorySelect } from '../../components/filters/repository-select.tsx';
import { DataTable } from '../../components/lists/data-table.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatInstant, humanize } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import { type HeldCheck, modeColors, origins, type RepositoryChecks } from './wire.ts';

/** The checks that apply in a repository, and the origin of each of their settings. */
export function HeldChecks({ view }: { view: View }) {
  const [{ repository, branch }, change] = useFilters();
  return (
    <>
      <FilterGrid>
        <RepositorySelect
          view={view}
          value={repository}
          onChange={(id) => change({ repository: id, branch: undefined })}
        />
      </FilterGrid>
      {repository === undefined ? (
        <Empty title="Choose a repository">
          See which checks apply to it, and where they are configured.
        </Empty>
      ) : (
        <Held view={view} repository={repository} branch={branch} />
      )}
    </>
  );
}

function Held({ view, repository, branch }: { view: View; repository: string; branch: string | undefined }) {
  const [, change] = useFilters();
  const query = useQuery({
    queryKey: ['repository-checks', view.id, repository, branch],
    queryFn: () =>
      api<RepositoryChecks>('GET', 'reviews/checks/settings', {
        scope: view,
        query: { repository_id: repository, branch },
      }),
  });
  return (
    <QueryState query={query}>
      {(held) => (
        <>
          <Text mb="md">{whereFrom(held)}</Text>
          {held.branches.length > 1 && (
            <NativeSelect
              label="Branch"
              maw={320}
              mb="md"
              data={held.branches}
              value={held.branch ?? ''}
              onChange={({ currentTarget }) => change({ branch: currentTarget.value })}
            />
          )}
          {held.notes.length > 0 && (
            <Alert color="yellow" variant="outline" mb="md" title="Problems in the configuration file">
              {held.notes.join(' ')}
            </Alert>
          )}
          {held.checks.length === 0 ? (
            <Empty title="No checks">No checks apply to this repository.</Empty>
          ) : (
            <DataTable label="Checks that apply" columns={columns} rows={held.checks} rowKey={keyOf} />
          )}
        </>
      )}
    </QueryState>
  );
}

function whereFrom({ file, branch, revision, read_at }: RepositoryChecks): string {
  if (read_at === null)
    return 'The configuration file of this repository is read with its first pull request. Until then, only the settings of the organization are shown.';
  const what = file === null ? 'No valid configuration file found' : `Read from ${file}`;
  return `${what} on branch ${branch} at commit ${revision?.slice(0, 10)}, ${formatInstant(read_at)}.`;
}

/** An enforced check and one of the file can have the same name, but have different origins. */
const keyOf = ({ name, kind, settings }: HeldCheck) => [name, kind, settings[0]?.from].join(' ');

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const columns: readonly Column<HeldCheck>[] = [
  {
    label: 'Check',
    minWidth: 110,
    cell: ({ name, kind }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        <Text fw={600}>{name}</Text>
        {name !== kind && (
          <Text size="xs" c="dimmed">
            {kind}
          </Text>
        )}
      </div>
    ),
  },
  {
    label: 'Mode',
    minWidth: 120,
    cell: ({ mode, mode_from }) => (
      <div>
        <Badge color={modeColors[mode]}>{humanize(mode)}</Badge>
        <Text size="xs" c="dimmed">
          {origins[mode_from]}
        </Text>
      </div>
    ),
  },
  {
    label: 'Settings',
    minWidth: 200,
    cell: ({ settings }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        {settings.length === 0 && '–'}
        {settings.map(({ field, value, from }) => (
          <Text key={`${field} ${from}`} size="sm">
            {field}: {shown(value)}{' '}
            <Text span size="xs" c="dimmed">
              {origins[from]}
            </Text>
          </Text>
        ))}
      </div>
    ),
  },
];
