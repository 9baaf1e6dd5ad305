import { LoadMore, usePages } from '../../components/load-more.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { WindowPicker } from '../../components/window-picker.tsx';
import { useView } from '../../lib/session.ts';
import { ExportButton } from './export-button.tsx';
import { FilterBar } from './filter-bar.tsx';
import { queryOf, useInsightFilters } from './insight-filters.ts';
import { PullRequestTable } from './pull-request-table.tsx';
import type { PullRequestPage } from './wire.ts';

/** The pull requests merged in the window, newest first. */
export default function PullRequestsPage() {
  const view = useView();
  const filters = useInsightFilters();
  const query = usePages<PullRequestPage>(
    ['insight-pull-requests', view.id, filters],
    'insights/pull-requests',
    view,
    queryOf(filters),
  );
  const [first] = query.data?.pages[0]?.data ?? [];
  return (
    <>
      <PageTitle title="Pull requests" about={`Merged in ${view.name}, newest first`}>
        <WindowPicker />
        <ExportButton list="pull-requests" />
      </PageTitle>
      <FilterBar
        names={{
          ...(first !== undefined && { repository: first.repository_name, author: first.author_name ?? '' }),
        }}
      />
      <QueryState query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          return rows.length === 0 ? (
            <Empty title="No pull requests">
              None was merged in this period, or none matches the filters. Choose a longer period or remove a
              filter.
            </Empty>
          ) : (
            <>
              <PullRequestTable rows={rows} />
              <LoadMore query={query} />
            </>
          );
        }}
      </QueryState>
    </>
  );
}
