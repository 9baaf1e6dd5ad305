import { Checkbox } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';

/**
 * The ticked rows. They are not in the state of the table, so that a tick only renders its own checkbox and components that show
 * the whole selection, however many rows there are.
 */
export class Selection {
  #ids: ReadonlySet<string> = new Set();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly current = () => this.#ids;

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  toggle(id: string): void {
    const next = new Set(this.#ids);
    if (!next.delete(id)) next.add(id);
    this.replace(next);
  }

  replace(ids: Iterable<string>): void {
    this.#ids = new Set(ids);
    for (const listener of this.#listeners) listener();
  }
}

export function useSelection(): Selection {
  const [selection] = useState(() => new Selection());
  return selection;
}

/** The ids of the ticked rows; renders again with every tick. */
export function useSelectedIds(selection: Selection): ReadonlySet<string> {
  return useSyncExternalStore(selection.subscribe, selection.current);
}

/** The checkbox of one row. */
export function SelectBox({ selection, id, label }: { selection: Selection; id: string; label: string }) {
  const isSelected = useSyncExternalStore(selection.subscribe, () => selection.has(id));
  return (
    <Checkbox aria-label={`Select ${label}`} checked={isSelected} onChange={() => selection.toggle(id)} />
  );
}
