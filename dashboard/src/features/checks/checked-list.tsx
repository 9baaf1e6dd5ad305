import { Anchor, Badge, Group, Select, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { FilterGrid } from '../../components/filters/filter-grid.tsx';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { RepositorySelect } from '../../components/filters/repository-select.tsx';
import { DataTable } from '../../components/lists/data-table.tsx';
import { usePages } from '../../components/lists/load-more.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import type { MorePages } from '../../components/lists/virtual-list.tsx';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { formatInstant, humanize } from '../../lib/format.ts';
import { useRepositoryNames } from '../../lib/repositories.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import { type Check, type CheckedPage, type CheckedPull, states, verdictColors } from './wire.ts';

/** The results of checks on pull requests, newest first, with the evidence of failures. */
export function CheckedList({ view }: { view: View }) {
  const [{ repository, state, search }] = useFilters();
  const filters = { repository_ids: repository, state, failed: search };
  const query = usePages<CheckedPage>(['checks', view.id, filters], 'reviews/checks', view, filters);
  return (
    <>
      <Filters view={view} />
      <QueryState query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          return rows.length === 0 ? (
            <Empty title="No pull requests">
              {Object.values(filters).some((value) => value !== undefined)
                ? 'No pull request matches these filters.'
                : 'No pull request has been checked yet. Checks are configured in .postil.yaml or in the settings of the organization.'}
            </Empty>
          ) : (
            <Table view={view} rows={rows} more={query} />
          );
        }}
      </QueryState>
    </>
  );
}

function Filters({ view }: { view: View }) {
  const [{ repository, state }, change] = useFilters();
  return (
    <FilterGrid>
      <RepositorySelect view={view} value={repository} onChange={(id) => change({ repository: id })} />
      <Select
        label="State"
        placeholder="All"
        clearable
        data={states.map(({ value, label }) => ({ value, label }))}
        value={state ?? null}
        onChange={(value) => change({ state: value ?? undefined })}
      />
      <FilterText label="Failed check" placeholder="e.g. title" />
    </FilterGrid>
  );
}

function Table({ view, rows, more }: { view: View; rows: readonly CheckedPull[]; more: MorePages }) {
  const names = useRepositoryNames(view, [...new Set(rows.map(({ repository_id }) => repository_id))]);
  const [, change] = useFilters();
  const columns = useMemo((): Column<CheckedPull>[] => {
    const toHeld = (repository: string) => () =>
      change({ show: 'repository', repository, state: undefined, search: undefined });
    return columnsWith(names, toHeld);
  }, [names, change]);
  return (
    <DataTable
      label="Checked pull requests"
      hasLongCells
      columns={columns}
      rows={rows}
      rowKey={({ repository_id, pull_request }) => `${repository_id} ${pull_request}`}
      more={more}
    />
  );
}

function columnsWith(
  names: ReadonlyMap<string, string>,
  toHeld: (repository: string) => () => void,
): Column<CheckedPull>[] {
  return [
    {
      label: 'Pull request',
      minWidth: 150,
      cell: ({ repository_id, pull_request, pr_url, title, open }) => (
        <div style={{ overflowWrap: 'anywhere' }}>
          <Anchor href={pr_url} target="_blank" rel="noreferrer">
            {title ?? `#${pull_request}`}
          </Anchor>
          <Text size="xs">
            <Anchor
              component="button"
              type="button"
              size="xs"
              onClick={toHeld(repository_id)}
              aria-label={`Checks that apply to ${names.get(repository_id) ?? repository_id}`}
            >
              {names.get(repository_id) ?? repository_id}
            </Anchor>{' '}
            #{pull_request}
            {open ? '' : ', closed'}
          </Text>
        </div>
      ),
    },
    {
      label: 'State',
      minWidth: 110,
      cell: ({ state }) => {
        const { label, color } = states.find(({ value }) => value === state)!;
        return (
          <Badge color={color} miw="max-content">
            {label}
          </Badge>
        );
      },
    },
    { label: 'Checks', minWidth: 220, cell: ({ checks }) => <Verdicts checks={checks} /> },
    { label: 'Evaluated', cell: ({ evaluated_at }) => formatInstant(evaluated_at) },
  ];
}

/** Checks that need attention, with their evidence; the others only by name. */
function Verdicts({ checks }: { checks: readonly Check[] }) {
  const open = checks.filter(
    ({ verdict, overridden }) => verdict === 'failed' || verdict === 'inconclusive' || overridden,
  );
  const rest = checks.filter((check) => !open.includes(check));
  return (
    <Stack gap="xs">
      {open.map(({ name, verdict, mode, text, overridden }) => (
        <div key={name} style={{ overflowWrap: 'anywhere' }}>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Badge size="sm" color={overridden ? 'gray' : verdictColors[verdict]}>
              {overridden ? 'Overridden' : humanize(verdict)}
              {mode === 'warning' ? ' (warning)' : ''}
            </Badge>
          </Group>
          <Text size="sm">{text}</Text>
        </div>
      ))}
      {rest.length > 0 && (
        <Text size="xs" c="dimmed">
          {rest.map(({ name, verdict }) => `${name} ${humanize(verdict).toLowerCase()}`).join(', ')}
        </Text>
      )}
    </Stack>
  );
}
