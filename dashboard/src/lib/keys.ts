import { useEffect, useRef } from 'react';

/** What the keyboard does everywhere, for people to look up. */
export const keys: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['Ctrl K', '⌘ K'], does: 'Find a page, a pull request, a person, a Learning or a finding' },
  { keys: ['j', 'k'], does: 'The next and the previous row of a list' },
  { keys: ['Enter'], does: 'Open the row, if it leads anywhere' },
  { keys: ['?'], does: 'Show these keys' },
];

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The rows of all lists of the page, in their order; those out of sight are not in it until they come near. */
const rowsOfPage = () => [...document.querySelectorAll<HTMLElement>('main [data-row]')];

/** The header stays above the rows. */
const headerHeight = 60;

function isInSight(row: HTMLElement): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  return top >= headerHeight && bottom <= window.innerHeight;
}

/** From the row that has the focus, or that holds what has it; else the first one in sight. */
function moveInList(step: 1 | -1): void {
  const rows = rowsOfPage();
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = current === -1 ? (rows.find(isInSight) ?? rows[0]) : rows[current + step];
  next?.focus({ preventScroll: true });
  if (next !== undefined && !isInSight(next)) next.scrollIntoView({ block: 'center' });
}

/** A row is opened by the first thing in it that is a link or looks like one; buttons that change something are never pressed. */
function openRow(row: EventTarget | null): void {
  if (row instanceof HTMLElement && row.dataset.row !== undefined)
    row.querySelector<HTMLElement>('a[href], button.mantine-Anchor-root:not(:disabled)')?.click();
}

/** Listens to the keys that work on every page. What somebody types, or does in a dialog, is theirs. */
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
