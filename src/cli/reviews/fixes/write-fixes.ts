import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, open, rename, rm } from 'node:fs/promises';
import type { FixedText } from '../../../reviewer/judge/fix-part.ts';
import { openWorkingFile, workingPath } from '../../../reviewer/repository/file-text.ts';

export interface WrittenFixes {
  /** The findings that were fixed. */
  readonly fixed: ReadonlySet<string>;
  readonly files: number;
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}

/** Writes the fixed files of a working copy, each atomically. A file that changed since the review is left alone. */
export async function writeFixes(
  root: string,
  texts: readonly FixedText[],
  reviewedAt: Date,
): Promise<WrittenFixes> {
  const fixed = new Set<string>();
  const refused: { path: string; reason: string }[] = [];
  for (const text of texts) {
    const reason = await writeFile(root, text, reviewedAt).catch((error: NodeJS.ErrnoException) => {
      if (error.code === undefined) throw error;
      return `it cannot be written (${error.code})`;
    });
    if (reason !== null) refused.push({ path: text.path, reason });
    else for (const finding of text.fixed) fixed.add(finding);
  }
  return { fixed, files: texts.length - refused.length, refused };
}

const hasChanged = 'it was changed meanwhile';

/** Writes a file; returns the reason why it was not written, or null if it was. */
async function writeFile(
  root: string,
  { path, before, after }: FixedText,
  reviewedAt: Date,
): Promise<string | null> {
  const place = Buffer.from(await workingPath(root, path));
  const opened = await openWorkingFile(root, path);
  if (opened === undefined) return hasChanged;
  try {
    const seen = await opened.file.stat();
    // A read-only file is respected even if this user could write it.
    if ((seen.mode & 0o222) === 0) return 'it is read-only';
    await access(place, constants.W_OK);
    const isSame = (await opened.file.readFile()).equals(Buffer.from(before));
    if (!isSame || seen.ctimeMs >= reviewedAt.getTime()) return hasChanged;
    const draft = Buffer.concat([place, Buffer.from(`.${randomUUID()}`)]);
    try {
      await writeDraft(draft, after, seen.mode & 0o7777);
      const now = await lstat(place);
      if (now.ino !== seen.ino || now.ctimeMs !== seen.ctimeMs) return hasChanged;
      // Replaces the file by a new one, so that other hard links to the old one keep its content.
      await rename(draft, place);
      return null;
    } finally {
      await rm(draft, { force: true });
    }
  } finally {
    await opened.file.close();
  }
}

async function writeDraft(draft: Buffer, text: string, mode: number): Promise<void> {
  const file = await open(draft, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}
