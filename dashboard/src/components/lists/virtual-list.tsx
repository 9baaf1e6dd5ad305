import { Box, Loader } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';

export interface MorePages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

const overscan = 8;

/**
 * Virtualizes a long list: returns the visible rows and the space of the others, and loads the next page as soon as it comes
 * near. The window scrolls, not the list.
 */
export function useVisibleRows<Element extends HTMLElement, Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  estimatedHeight: number,
  more: MorePages | undefined,
) {
  const container = useRef<Element>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    setScrollMargin((container.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => estimatedHeight,
    overscan,
    scrollMargin,
    getItemKey: (index) => rowKey(rows[index]!),
  });
  const items = virtualizer.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (lastIndex >= rows.length - overscan && more?.hasNextPage && !more.isFetchingNextPage)
      more.fetchNextPage();
  }, [lastIndex, rows.length, more]);
  return {
    container,
    items,
    measure: virtualizer.measureElement,
    before: (items[0]?.start ?? scrollMargin) - scrollMargin,
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin),
  };
}

export function LoadingMore({ more }: { more: MorePages | undefined }) {
  if (!more?.isFetchingNextPage) return null;
  return (
    <Box ta="center" p="sm" role="status">
      <Loader size="sm" role="img" aria-label="Loading more" />
    </Box>
  );
}

/** A list of any length: only visible rows are rendered. */
export function VirtualList<Row>({
  rows,
  rowKey,
  estimatedHeight,
  more,
  children,
}: {
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  estimatedHeight: number;
  more?: MorePages;
  children: (row: Row) => ReactNode;
}) {
  const visible = useVisibleRows<HTMLUListElement, Row>(rows, rowKey, estimatedHeight, more);
  return (
    <>
      <ul
        ref={visible.container}
        style={{ listStyle: 'none', margin: 0, padding: `${visible.before}px 0 ${visible.after}px` }}
      >
        {visible.items.map(({ index, key }) => (
          <li
            key={key}
            ref={visible.measure}
            data-index={index}
            data-row
            tabIndex={-1}
            aria-setsize={more?.hasNextPage ? -1 : rows.length}
            aria-posinset={index + 1}
            style={{ paddingBottom: 12 }}
          >
            {children(rows[index]!)}
          </li>
        ))}
      </ul>
      <LoadingMore more={more} />
    </>
  );
}
