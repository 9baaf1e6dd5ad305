import { shownPath } from '../../../redaction/shown-path.ts';
import { printNote } from '../../output.ts';
import { namePlace, nameSources } from '../named-finding.ts';
import type { LocalResult } from '../review-working-copy.ts';
import { onOneLine, plural } from '../terminal-text.ts';
import type { WrittenFixes } from './write-fixes.ts';

/** Applies the fixes that can be applied, and names the findings that they fixed. */
export async function applyFixes({ fix, result }: LocalResult): Promise<WrittenFixes> {
  const written = await fix();
  const { fixed, files, refused } = written;
  const gone = [...result.findings, ...result.overflow].filter(({ identity }) => fixed.has(identity));
  printNote(
    fixed.size === 0
      ? 'Nothing was fixed.'
      : `Fixed ${plural(fixed.size, 'finding')} in ${plural(files, 'file')}:`,
  );
  for (const finding of gone) printNote(`  ${namePlace(finding)}  ${nameSources(finding)}`);
  for (const { path, reason } of refused) printNote(`${onOneLine(shownPath(path))} was not fixed: ${reason}`);
  return written;
}
