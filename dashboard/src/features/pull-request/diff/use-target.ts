import { type RefObject, useEffect, useState } from 'react';
import type { Run } from '../../reviews/wire.ts';
import type { Place } from '../place.ts';
import type { ChangedFile } from '../wire.ts';
import type { DiffListHandle } from './diff-list.tsx';
import { type DiffRow, isAt } from './rows/diff-rows.ts';

/** The place to go to: a line, a finding, or a file. */
export interface Target {
  readonly path: string;
  readonly line: number | null;
  readonly findingId?: string;
}

/** The target that a URL names; null if it names none. */
export function targetIn(
  run: Run,
  {
    place,
    file,
    finding: chosen,
  }: { place: Place | null; file: string | undefined; finding: string | undefined },
): Target | null {
  const finding = run.findings.find(({ finding_id }) => finding_id === chosen);
  if (finding !== undefined) return { path: finding.path, line: null, findingId: finding.finding_id };
  return file === undefined ? place : { path: file, line: null };
}

/** Scrolls to the target as soon as its rows are available. A line that no row shows is passed to `onElsewhere`. */
export function useTarget(
  initial: () => Target | null,
  {
    files,
    rows,
    seek,
    list,
    onElsewhere,
  }: {
    readonly files: readonly ChangedFile[];
    readonly rows: readonly DiffRow[];
    readonly seek: (file: ChangedFile) => boolean;
    readonly list: RefObject<DiffListHandle | null>;
    readonly onElsewhere: (place: Place) => void;
  },
) {
  const [target, setTarget] = useState(initial);
  useEffect(() => {
    if (target === null) return;
    const { path, line, findingId } = target;
    const file = files.find(({ shown_path }) => shown_path === path);
    const isFileAlone = line === null && findingId === undefined;
    if (file !== undefined && !seek(file) && !isFileAlone) return;
    const index = file === undefined ? -1 : indexOfTarget(rows, file, target);
    if (index !== -1) list.current?.show(index);
    else if (line !== null) onElsewhere({ path, line });
    setTarget(null);
  }, [target, files, rows, seek, list, onElsewhere]);
  return setTarget;
}

function indexOfTarget(
  rows: readonly DiffRow[],
  file: ChangedFile,
  { path, line, findingId }: Target,
): number {
  if (findingId !== undefined)
    return rows.findIndex((row) => row.kind === 'finding' && row.finding.finding_id === findingId);
  if (line !== null) return rows.findIndex((row) => isAt(row, { path, line }));
  return rows.findIndex((row) => row.kind === 'file' && row.file === file);
}
