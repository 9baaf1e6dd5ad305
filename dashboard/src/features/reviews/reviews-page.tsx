import { Badge, Box, Group, MultiSelect, Text } from '@mantine/core';
import { RepositorySelect } from '../../components/filters/repository-select.tsx';
import { useWindow, WindowPicker } from '../../components/filters/window-picker.tsx';
import { LoadMore, usePages } from '../../components/lists/load-more.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import { TableRegion } from '../../components/lists/table-region.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { formatInstant, humanize } from '../../lib/format.ts';
import { useRepositoryNames } from '../../lib/repositories.ts';
import { useFilters } from '../../lib/search.ts';
import { useView, type View } from '../../lib/session.ts';
import { useKnownData } from '../insights/why-empty.tsx';
import { useProgress } from './use-progress.ts';
import { useTitles } from './use-titles.ts';
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
      <PageTitle title="Reviews" about={`Reviews in ${view.name}, with their results`} />
      <Filters view={view} />
      <QueryState query={query}>
        {({ pages }) => {
          const runs = pages.flatMap(({ data }) => data);
          return runs.length === 0 ? (
            <NoReviews view={view} />
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

function NoReviews({ view }: { view: View }) {
  const known = useKnownData(view);
  return (
    <Empty title="No reviews">
      {known?.is_connected === false
        ? `No Git host is connected to ${view.name}; pull requests are reviewed automatically once one is connected. `
        : 'Nothing was reviewed in this period, or nothing matches the filters. Pull requests are reviewed when they are opened and on every push. '}
      <code>POST /v1/reviews</code> starts a review of a diff.
    </Empty>
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
  const titles = useTitles(view, runs);
  const columns: Column<RunSummary>[] = [
    {
      label: 'Pull request or diff',
      cell: (run) => (
        <Box miw={128} maw={420} style={{ overflowWrap: 'anywhere' }}>
          <PageLink to={`/organizations/${view.id}/reviews/${run.id}`}>
            {subjectOf(run, titles.get(run.id))}
          </PageLink>
          <Text size="xs" c="dimmed">
            {names.get(run.repository_id) ?? run.repository_id} · {humanize(run.trigger)}
          </Text>
        </Box>
      ),
    },
    { label: 'Status', cell: (run) => <StatusCell run={run} /> },
    { label: 'Requested', cell: ({ created_at }) => formatInstant(created_at) },
    { label: 'Duration', cell: durationOf },
    {
      label: 'Model cost',
      cell: ({ usage }) => (usage.calls === 0 ? '–' : `$${usage.cost_usd.toFixed(2)}`),
    },
  ];
  return <TableRegion label="Reviews" columns={columns} rows={runs} rowKey={({ id }) => id} />;
}

function StatusCell({ run: { status, reason } }: { run: RunSummary }) {
  return (
    <Box maw={360}>
      <Badge color={statusColors[status]}>{humanize(status)}</Badge>
      {reason !== null && (
        <Text size="xs" c="dimmed" lineClamp={2} style={{ wordBreak: 'break-word' }}>
          {reason}
        </Text>
      )}
    </Box>
  );
}
