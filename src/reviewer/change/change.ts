export type FileChangeKind = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied';

/** A line of a hunk; a context line has both numbers, an added one no old number, a removed one no new number. */
export interface HunkLine {
  readonly kind: 'context' | 'added' | 'removed';
  /** Without its line ending. */
  readonly text: string;
  readonly oldLine: number | null;
  readonly newLine: number | null;
}

/** Consecutive lines of a diff. Line numbers start at 1. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly lines: readonly HunkLine[];
}

/** Why a changed file has no hunks. */
export type MissingHunks = 'binary' | 'too_large' | 'submodule' | 'symbolic_link' | 'content_missing';

export interface ChangedFile {
  /** The path in the new version; of a deleted file, the path it had. */
  readonly path: string;
  /** The path in the old version; null for an added file. */
  readonly oldPath: string | null;
  readonly kind: FileChangeKind;
  /** Not null if the file cannot be reviewed line by line; `hunks` is empty then. */
  readonly missing: MissingHunks | null;
  readonly hunks: readonly Hunk[];
  /** Numbers of the lines of the new version that the change added. */
  readonly addedLines: ReadonlySet<number>;
  /** The new version; undefined if it was deleted, is not text, is too large, or was not given. */
  newText(): Promise<string | undefined>;
  /** The old version, computed from the new one and the hunks; undefined for an added file, or if one of them is missing. */
  oldText(): Promise<string | undefined>;
}

/** The subject of a review: the files that differ between two versions. */
export interface Change {
  /** The commits that were compared; null for a diff without commits, or for uncommitted changes as the head. */
  readonly baseRevision: string | null;
  readonly headRevision: string | null;
  readonly files: readonly ChangedFile[];
  /** Releases the resources that are used to read texts on demand. */
  close(): Promise<void>;
}
