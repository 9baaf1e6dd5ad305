import { Button, Center } from '@mantine/core';
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { api, type Query, type Scope } from '../../lib/api.ts';

/** Loads a list page by page, following its cursors. */
export function usePages<Page extends { next_cursor: string | null }>(
  queryKey: QueryKey,
  path: string,
  scope: Scope | undefined,
  query: Query,
  pollIntervalMs?: (pages: readonly Page[]) => number | false,
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => api<Page>('GET', path, { scope, query: { ...query, cursor: pageParam } }),
    // After a change of filters, the old list is shown until the new one is loaded.
    placeholderData: keepPreviousData,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      pollIntervalMs === undefined ? false : pollIntervalMs(state.data?.pages ?? []),
  });
}

/** Loads the next page, if there is one. */
export function LoadMore({
  query,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}) {
  if (!query.hasNextPage) return null;
  return (
    <Center mt="md">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Show more
      </Button>
    </Center>
  );
}
