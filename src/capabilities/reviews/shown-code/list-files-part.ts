import type { ChangedFile } from '../../../reviewer/change/change.ts';
import { readChange } from '../../../reviewer/change/read-change.ts';
import type { ReadCommits } from './code-request.ts';

/** A changed file without its lines. */
export interface ListedFile {
  readonly path: string;
  readonly oldPath: string | null;
  readonly kind: ChangedFile['kind'];
  readonly missing: ChangedFile['missing'];
  readonly added: number;
  readonly removed: number;
  /** The number of lines in its hunks, including unchanged ones. */
  readonly lines: number;
}

/** Nobody looks through more files. */
const maxFiles = 5_000;

/** The files that differ between two commits, in the order of their paths, and how many there are. */
export async function work({
  repository,
  base,
  head,
}: ReadCommits): Promise<{ readonly files: readonly ListedFile[]; readonly total: number }> {
  const change = await readChange(repository, { base, head });
  try {
    return { files: change.files.slice(0, maxFiles).map(withoutLines), total: change.files.length };
  } finally {
    await change.close();
  }
}

function withoutLines({ path, oldPath, kind, missing, hunks }: ChangedFile): ListedFile {
  let [added, removed, lines] = [0, 0, 0];
  for (const hunk of hunks)
    for (const line of hunk.lines) {
      if (line.kind === 'added') added += 1;
      if (line.kind === 'removed') removed += 1;
      lines += 1;
    }
  return { path, oldPath, kind, missing, added, removed, lines };
}
