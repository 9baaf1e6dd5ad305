import { useEffect, useRef } from 'react';

/** The keyboard shortcuts of all pages, for the help. */
export const keys: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['Ctrl K', '⌘ K'], does: 'Search pages, pull requests, people, Learnings and findings' },
  { keys: ['j', 'k'], does: 'Go to the next or previous row of a list' },
  { keys: ['Enter'], does: 'Open the selected row' },
  { keys: ['?'], does: 'Show keyboard shortcuts' },
];

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The rows of all lists on the page, in order. Rows of a long list are only rendered when they come near. */
const rowsOfPage = () => [...document.querySelectorAll<HTMLElement>('main [data-row]')];

/** The height in pixels at the top of the window that the header covers. */
const headerHeight = 60;

function isInSight(row: HTMLElement): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  return top >= headerHeight && bottom <= window.innerHeight;
}

/** Focuses the next or previous row, from the one that has or contains the focus; without one, the first visible row. */
function moveInList(step: 1 | -1): void {
  const rows = rowsOfPage();
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = current === -1 ? (rows.find(isInSight) ?? rows[0]) : rows[current + step];
  next?.focus({ preventScroll: true });
  if (next !== undefined && !isInSight(next)) next.scrollIntoView({ block: 'center' });
}

/**
 * Opens a row by clicking the first link in it, or button that looks like one. Buttons that change something are never clicked.
 */
function openRow(row: EventTarget | null): void {
  if (row instanceof HTMLElement && row.dataset.row !== undefined)
    row.querySelector<HTMLElement>('a[href], button.mantine-Anchor-root:not(:disabled)')?.click();
}

/** Listens to the keys that work on every page. While somebody types, or a dialog is open, only Ctrl K works. */
export function useKeys(togglePalette: () => void, showHelp: () => void): void {
  const actions = useRef({ togglePalette, showHelp });
  actions.current = { togglePalette, showHelp };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, target } = event;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && key.toLowerCase() === 'k') {
        event.preventDefault();
        actions.current.togglePalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(target) || document.querySelector('[role="dialog"]') !== null) return;
      if (key === '?') actions.current.showHelp();
      else if (key === 'j') moveInList(1);
      else if (key === 'k') moveInList(-1);
      else if (key === 'Enter') openRow(target);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
