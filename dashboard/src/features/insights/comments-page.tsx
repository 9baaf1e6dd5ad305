import { LoadMore, usePages } from '../../components/load-more.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { WindowPicker } from '../../components/window-picker.tsx';
import { useView } from '../../lib/session.ts';
import { CommentTable } from './comment-table.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterBar } from './filter-bar.tsx';
import { queryOf, useInsightFilters } from './insight-filters.ts';
import type { CommentPage } from './wire.ts';

/** The comments on pull requests merged in the window. */
export default function CommentsPage() {
  const view = useView();
  const filters = useInsightFilters();
  const query = usePages<CommentPage>(
    ['insight-comments', view.id, filters],
    'insights/comments',
    view,
    queryOf(filters),
  );
  const [first] = query.data?.pages[0]?.data ?? [];
  return (
    <>
      <PageTitle title="Comments" about={`Review comments on pull requests merged in ${view.name}`}>
        <WindowPicker />
        <ExportButton list="comments" />
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
            <Empty title="No comments">
              There are none in this period, or none matches the filters. Choose a longer period or remove a
              filter.
            </Empty>
          ) : (
            <>
              <CommentTable rows={rows} />
              <LoadMore query={query} />
            </>
          );
        }}
      </QueryState>
    </>
  );
}
