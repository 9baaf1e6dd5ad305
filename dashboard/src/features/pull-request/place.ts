import { useFilters } from '../../lib/search.ts';

/** A line of the version after the change. */
export interface Place {
  readonly path: string;
  readonly line: number;
}

/** The place that a URL names, as `src/a.ts:12`. */
export function placeIn(at: string | undefined): Place | null {
  const [, path, line] = /^(.+):(\d{1,9})$/s.exec(at ?? '') ?? [];
  return path === undefined ? null : { path, line: Number(line) };
}

/** Clears the parameters of a URL that name a place in the diff. */
export const nowhere = { at: undefined, file: undefined, finding: undefined };

/** Functions that open a line, a file or a finding in the diff. */
export function useOpenInDiff() {
  const [, change] = useFilters();
  return {
    openPlace: ({ path, line }: Place) => change({ ...nowhere, tab: 'changes', at: `${path}:${line}` }),
    openFile: (path: string) => change({ ...nowhere, tab: 'changes', file: path }),
    openFinding: (id: string) => change({ ...nowhere, tab: 'changes', finding: id }),
  };
}
