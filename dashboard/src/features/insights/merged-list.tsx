import type { ReactNode } from 'react';
import { WindowPicker } from '../../components/filters/window-picker.tsx';
import { LoadMore, usePages } from '../../components/lists/load-more.tsx';
import { PageTitle, QueryState } from '../../components/query-state.tsx';
import { useView } from '../../lib/session.ts';
import { ExportButton } from './filters/export-button.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { filterNames, queryOf, useInsightFilters } from './filters/insight-filters.ts';
import { WhyEmpty } from './why-empty.tsx';

interface ListPage {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}

/** A page with a list about pull requests merged in the window, with filters and a download. */
export function MergedList<Page extends ListPage>({
  list,
  title,
  about,
  whenEmpty,
  children,
}: {
  list: 'pull-requests' | 'comments';
  title: string;
  about: string;
  /** The title if the list is empty. */
  whenEmpty: string;
  children: (rows: Page['data']) => ReactNode;
}) {
  const view = useView();
  const filters = useInsightFilters();
  const query = usePages<Page>(
    [`insight-${list}`, view.id, filters],
    `insights/${list}`,
    view,
    queryOf(filters),
  );
  return (
    <>
      <PageTitle title={title} about={about}>
        <WindowPicker />
        <ExportButton list={list} />
      </PageTitle>
      <FilterBar />
      <QueryState query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data) as unknown as Page['data'];
          return rows.length === 0 ? (
            <WhyEmpty
              title={whenEmpty}
              shows="list"
              from={filters.from}
              to={filters.to}
              repository={filters.repository}
              isFiltered={filterNames.some((name) => filters[name] !== undefined)}
            />
          ) : (
            <>
              {children(rows)}
              <LoadMore query={query} />
            </>
          );
        }}
      </QueryState>
    </>
  );
}
