import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Place } from '../place.ts';
import type { ChangedFile } from '../wire.ts';
import { type DiffRow, estimateHeight, isAt } from './rows/diff-rows.ts';
import type { Colours } from './rows/line-row.tsx';
import { type DiffContext, RowView } from './rows/row-view.tsx';

/** Scrolls a row into view and focuses it. */
export interface DiffListHandle {
  show(index: number): void;
}

/** The height in pixels at the top of the window that the header of the page covers. */
const top = 72;

/** All rows of a diff; only visible ones are rendered. Calls `onSight` with the files of the visible rows. */
export function DiffList({
  rows,
  colours,
  place,
  context,
  handle,
  onSight,
}: {
  rows: readonly DiffRow[];
  /** The highlighting of each file, by its path. */
  colours: ReadonlyMap<string, Colours>;
  /** The line that the URL names. */
  place: Place | null;
  context: DiffContext;
  handle: RefObject<DiffListHandle | null>;
  onSight: (files: readonly ChangedFile[]) => void;
}) {
  const container = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const [focused, setFocused] = useState<string>();
  useLayoutEffect(() => {
    setScrollMargin((container.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, []);
  // A new function would make the virtualizer compute the places of all rows again.
  const getItemKey = useCallback((index: number) => rows[index]!.key, [rows]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => estimateHeight(rows[index]!),
    overscan: 10,
    scrollMargin,
    scrollPaddingStart: top,
    getItemKey,
  });
  const items = virtualizer.getVirtualItems();
  const seen = [...new Set(items.map(({ index }) => rows[index]!.file))];
  const names = seen.map(({ path }) => path).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names stand for the files, which are made anew with every look
  useEffect(() => onSight(seen), [names]);
  useImperativeHandle(handle, () => ({
    show(index) {
      virtualizer.scrollToIndex(index, { align: rows[index]!.kind === 'file' ? 'start' : 'center' });
      setFocused(rows[index]!.key);
    },
  }));
  const isFocusedHere = items.some(({ key }) => key === focused);
  useEffect(() => {
    if (focused === undefined || !isFocusedHere) return;
    container.current?.querySelector<HTMLElement>('[data-focused]')?.focus({ preventScroll: true });
    setFocused(undefined);
  }, [focused, isFocusedHere]);
  const before = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin);
  return (
    <div ref={container} style={{ padding: `${before}px 0 ${after}px`, overflowAnchor: 'none' }}>
      {items.map(({ index, key }) => (
        <div
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          tabIndex={-1}
          {...(key === focused && { 'data-focused': true })}
        >
          <RowView
            row={rows[index]!}
            colours={colours.get(rows[index]!.file.path)}
            isHere={place !== null && isAt(rows[index]!, place)}
            context={context}
          />
        </div>
      ))}
    </div>
  );
}
