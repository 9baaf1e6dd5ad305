import { shallowEqual } from '@mantine/hooks';
import { useCallback, useMemo, useState } from 'react';
import type { View } from '../../../lib/session.ts';
import type { Finding, Run } from '../../reviews/wire.ts';
import type { ChangedFile } from '../wire.ts';
import { type DiffRow, type FileView, isGenerated, rowsOfFile } from './rows/diff-rows.ts';
import { usePatches } from './use-patches.ts';
import { useUnfolded } from './use-unfolded.ts';

type FindingsOf = (file: ChangedFile) => readonly Finding[];

const nothingUnfolded: ReadonlyMap<number, string> = new Map();

/** Whether lines of this file can be loaded. */
const hasLines = ({ missing }: ChangedFile) => missing === null || missing === 'too_large';

/** The rows of a diff, from the patches of visible files. */
export function useDiffRows(
  files: readonly ChangedFile[],
  findingsOf: FindingsOf,
  { run, view, isSplit }: { readonly run: Run; readonly view: View; readonly isSplit: boolean },
) {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(() => generatedFiles(files, findingsOf));
  const [seen, setSeen] = useState<readonly ChangedFile[]>([]);
  const [sought, setSought] = useState<ChangedFile>();
  const wanted = useMemo(
    () =>
      [...(sought === undefined ? [] : [sought]), ...seen].filter(
        (file) => !collapsed.has(file.path) && hasLines(file),
      ),
    [seen, sought, collapsed],
  );
  const { patches, colours, retry } = usePatches(run.id, view, wanted);
  const { unfolded, unfold } = useUnfolded(run.id, view);
  const [rowsOf] = useState(rememberRows);
  const rows = useMemo(
    () =>
      files.flatMap((file) =>
        rowsOf({
          file,
          patch: patches.get(file.path),
          findings: findingsOf(file),
          unfolded: unfolded.get(file.path) ?? nothingUnfolded,
          isCollapsed: collapsed.has(file.path),
          isSplit,
        }),
      ),
    [files, patches, findingsOf, collapsed, isSplit, unfolded, rowsOf],
  );
  /** Expands a file and loads its rows; returns false until they are available. */
  const seek = useCallback(
    (file: ChangedFile): boolean => {
      if (collapsed.has(file.path)) setCollapsed(without(collapsed, file.path));
      setSought(file);
      return !collapsed.has(file.path) && (patches.has(file.path) || !hasLines(file));
    },
    [collapsed, patches],
  );
  const toggle = useCallback(
    ({ path }: ChangedFile) =>
      setCollapsed((known) => (known.has(path) ? without(known, path) : new Set(known).add(path))),
    [],
  );
  return { rows, colours, seek, toggle, unfold: unfold.mutate, retry, setSeen };
}

/** Generated files without findings are collapsed at first. */
const generatedFiles = (files: readonly ChangedFile[], findingsOf: FindingsOf) =>
  new Set(files.filter((file) => isGenerated(file) && findingsOf(file).length === 0).map(({ path }) => path));

function without(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const rest = new Set(names);
  rest.delete(name);
  return rest;
}

/**
 * Returns a caching `rowsOfFile`: the rows of a file stay the same objects until its state changes, so that they are not rendered
 * again.
 */
function rememberRows(): (view: FileView) => readonly DiffRow[] {
  const known = new Map<string, { readonly view: FileView; readonly rows: readonly DiffRow[] }>();
  return (view) => {
    const { path } = view.file;
    const last = known.get(path);
    if (last !== undefined && shallowEqual(last.view, view)) return last.rows;
    const rows = rowsOfFile(view);
    known.set(path, { view, rows });
    return rows;
  };
}
