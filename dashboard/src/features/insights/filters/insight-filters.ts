import { useWindow } from '../../../components/filters/window-picker.tsx';
import type { Query } from '../../../lib/api.ts';
import { type Search, useFilters } from '../../../lib/search.ts';

/** The filters that every page about pull requests and comments understands, by their names in the URL. */
export const filterNames = [
  'repository',
  'author',
  'team',
  'source',
  'severity',
  'category',
  'outcome',
] as const;
export type FilterName = (typeof filterNames)[number];
export type InsightFilters = Readonly<Partial<Record<FilterName, string | undefined>>>;

/** The window and the filters in the URL. */
export function useInsightFilters(): InsightFilters & { readonly from: string; readonly to: string } {
  const [search] = useFilters();
  const { from, to } = useWindow();
  const given = filterNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]]));
  return { from, to, ...Object.fromEntries(given) };
}

/** The window and the filters as query parameters for the server. */
export function queryOf({
  from,
  to,
  repository,
  author,
  team,
  ...filters
}: ReturnType<typeof useInsightFilters>): Query {
  const window = { start_date: from, end_date: to };
  return { ...window, repository_ids: repository, author_ids: author, team_ids: team, ...filters };
}

/** The pages that filters apply to; others show everything in the window. */
const filteredPages = ['pull-requests', 'comments', 'compare'];

/** What a link to another page keeps of the URL: the window, and the filters if the page has them, changed as given. */
export function useKeptSearch(): (page: string, change: InsightFilters) => Search {
  const [{ from, to, ...search }] = useFilters();
  return (page, change) => {
    const kept = filteredPages.includes(page) ? { ...search, ...change } : {};
    const filters = filterNames.map((name) => [name, kept[name]]);
    return Object.fromEntries(
      [['from', from], ['to', to], ...filters].filter(([, value]) => value !== undefined),
    );
  };
}
