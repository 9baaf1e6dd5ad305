import { readFile } from 'node:fs/promises';
import type { RepositoryPlace } from '../repository/repository.ts';
import { openTree } from '../repository/tree-view.ts';
import type { Change, ChangedFile } from './change.ts';
import { changeOfDiff, type GivenFile } from './change-of-diff.ts';
import { changeOnBase } from './change-on-base.ts';
import { readChange } from './read-change.ts';

/** A diff as somebody sent it. */
export interface SentDiff {
  readonly diff: string;
  readonly files: readonly GivenFile[];
}

/** Where a change can be read, as plain data: whoever reads it may be another process. */
export type ChangeSource =
  | {
      readonly kind: 'commits';
      readonly repository: RepositoryPlace;
      /** A commit id. */
      readonly base: string;
      /** The id of a commit or tree; null for the working copy with everything that is not committed. */
      readonly head: string | null;
      /** Only these files are compared, and renames are found among them alone; by default, all. */
      readonly paths?: readonly string[] | undefined;
      /** Folders, files or globs; only what is in one of them is part of the change. */
      readonly selected?: readonly string[] | undefined;
    }
  | {
      readonly kind: 'diff';
      /** A file with a SentDiff as JSON. */
      readonly file: string;
      /** The repository, and the commit in it that the diff is a change of, where they are known. */
      readonly behind?: { readonly repository: RepositoryPlace; readonly base: string } | undefined;
    };

/** Reads the change; what it holds open is given back by `close`. */
export async function openChange(source: ChangeSource): Promise<Change> {
  if (source.kind === 'commits') return readChange(source.repository, source);
  const sent = JSON.parse(await readFile(source.file, 'utf8')) as SentDiff;
  const change = changeOfDiff(sent.diff, sent.files);
  const { behind } = source;
  return behind === undefined ? change : changeOnBase(change, openTree(behind.repository, behind.base));
}

const indexes = new WeakMap<Change, ReadonlyMap<string, ChangedFile>>();

/** The files of a change by their paths. */
export function filesByPath(change: Change): ReadonlyMap<string, ChangedFile> {
  const known = indexes.get(change) ?? new Map(change.files.map((file) => [file.path, file]));
  indexes.set(change, known);
  return known;
}
