import { Badge, Group, MultiSelect, Table, Text } from '@mantine/core';
import { RepositorySelect } from '../../components/filters/repository-select.tsx';
import { useWindow, WindowPicker } from '../../components/filters/window-picker.tsx';
import { LoadMore, usePages } from '../../components/lists/load-more.tsx';
import { TableRegion } from '../../components/lists/table-region.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { formatInstant, humanize } from '../../lib/format.ts';
import { useRepositoryNames } from '../../lib/repositories.ts';
import { useFilters } from '../../lib/search.ts';
import { useView, type View } from '../../lib/session.ts';
import { useProgress } from './use-progress.ts';
import { durationOf, type RunPage, type RunSummary, statusColors, statuses, subjectOf } from './wire.ts';

/** The reviews of an organization, newest first. */
export default function ReviewsPage() {
  const view = useView();
  const [{ repository, status }] = useFilters();
  const { from, to } = useWindow();
  const filters = { repository_ids: repository, status, start_date: from, end_date: to };
  const query = usePages<RunPage>(['reviews', view.id, filters], 'reviews', view, { ...filters, limit: 50 });
  useProgress(view, query.data?.pages.flatMap(({ data }) => data) ?? [], query.refetch);
  return (
    <>
      <PageTitle title="Reviews" about={`What was reviewed in ${view.name}, and how it ended`} />
      <Filters view={view} />
      <QueryState query={query}>
        {({ pages }) => {
          const runs = pages.flatMap(({ data }) => data);
          return runs.length === 0 ? (
            <Empty title="No reviews">
              Nothing was reviewed in this period, or nothing matches the filters. Pull requests are reviewed
              by themselves once their host is connected; <code>POST /v1/reviews</code> reviews a diff.
            </Empty>
          ) : (
            <>
              <RunTable runs={runs} view={view} />
              <LoadMore query={query} />
            </>
          );
        }}
      </QueryState>
    </>
  );
}

function Filters({ view }: { view: View }) {
  const [{ repository, status }, change] = useFilters();
  return (
    <Group mb="md" align="flex-end" gap="xs">
      <RepositorySelect view={view} value={repository} onChange={(id) => change({ repository: id })} />
      <MultiSelect
        label="Status"
        placeholder={status === undefined ? 'All' : ''}
        data={statuses.map((value) => ({ value, label: humanize(value) }))}
        value={status === undefined ? [] : status.split(',')}
        onChange={(values) => change({ status: values.join(',') })}
        miw={180}
        maw={360}
      />
      <WindowPicker />
    </Group>
  );
}

function RunTable({ runs, view }: { runs: readonly RunSummary[]; view: View }) {
  const names = useRepositoryNames(
    view,
    runs.map(({ repository_id }) => repository_id),
  );
  return (
    <TableRegion
      label="Reviews"
      minWidth={760}
      columns={['What', 'Status', 'Asked for', 'Time taken', 'Model cost']}
    >
      {runs.map((run) => (
        <Table.Tr key={run.id}>
          <Table.Td>
            <PageLink to={`/organizations/${view.id}/reviews/${run.id}`}>{subjectOf(run)}</PageLink>
            <Text size="xs" c="dimmed">
              {names.get(run.repository_id) ?? run.repository_id} · {humanize(run.trigger)}
            </Text>
          </Table.Td>
          <Table.Td maw={360}>
            <Badge color={statusColors[run.status]}>{humanize(run.status)}</Badge>
            {run.reason !== null && (
              <Text size="xs" c="dimmed" lineClamp={2} style={{ wordBreak: 'break-word' }}>
                {run.reason}
              </Text>
            )}
          </Table.Td>
          <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatInstant(run.created_at)}</Table.Td>
          <Table.Td style={{ whiteSpace: 'nowrap' }}>{durationOf(run)}</Table.Td>
          <Table.Td>{run.usage.calls === 0 ? '–' : `$${run.usage.cost_usd.toFixed(2)}`}</Table.Td>
        </Table.Tr>
      ))}
    </TableRegion>
  );
}
