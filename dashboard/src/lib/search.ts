import { useNavigate, useSearch } from '@tanstack/react-router';

export type Search = Readonly<Record<string, string | undefined>>;

/** The filters of a page, kept in its URL so that it can be linked, reloaded and navigated back to. */
export function useFilters(): [Search, (change: Search) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  function change(fields: Search) {
    const next = { ...search, ...fields };
    const kept = Object.fromEntries(
      Object.entries(next).filter(([, value]) => value !== undefined && value !== ''),
    );
    void navigate({ to: '.', search: kept as never, replace: true });
  }
  return [search, change];
}
