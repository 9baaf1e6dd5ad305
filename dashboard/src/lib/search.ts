import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export type Search = Readonly<Record<string, string | undefined>>;

interface ChangeOptions {
  readonly replace?: boolean;
  /** Keeps the scroll position, instead of scrolling to the top. */
  readonly keepsScroll?: boolean;
}

/**
 * The filters of a page, kept in its URL so that it can be linked, reloaded and navigated back to. A change adds an entry to the
 * browser's history, unless it replaces the last one, as typing does.
 */
export function useFilters(): [Search, (change: Search, options?: ChangeOptions) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change = useCallback(
    (fields: Search, { replace = false, keepsScroll = false }: ChangeOptions = {}) => {
      const next = { ...search, ...fields };
      const kept = Object.fromEntries(
        Object.entries(next).filter(([, value]) => value !== undefined && value !== ''),
      );
      void navigate({ to: '.', search: kept as never, replace, resetScroll: !keepsScroll });
    },
    [search, navigate],
  );
  return [search, change];
}
