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

/** Describes where to read a change from; plain data, because another process may read it. */
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
      /** Folders, files or globs; only files that match one of them are part of the change. */
      readonly selected?: readonly string[] | undefined;
    }
  | {
      readonly kind: 'diff';
      /** A file with a SentDiff as JSON. */
      readonly file: string;
      /** The repository and the base commit of the diff, if they are known. */
      readonly behind?: { readonly repository: RepositoryPlace; readonly base: string } | undefined;
    };

/** Reads the change. The caller must call `close` to release its resources. */
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
