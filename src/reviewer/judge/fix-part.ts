import { type ChangeSource, filesByPath } from '../change/change-source.ts';
import type { Finding } from '../finding.ts';
import type { Workplace } from '../process/part.ts';
import { applySuggestions } from './apply-suggestions.ts';

/** A file before and after fixes. */
export interface FixedText {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The identities of the fixed findings. */
  readonly fixed: readonly string[];
}

/** Applies the safe suggestions of findings in memory; no file is written. */
export async function work(
  { change, findings }: { readonly change: ChangeSource; readonly findings: readonly Finding[] },
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<FixedText[]> {
  const files = filesByPath(await openChange(change));
  const fixedTexts: FixedText[] = [];
  for (const [path, inFile] of Map.groupBy(findings, (finding) => finding.path)) {
    const before = await files.get(path)?.newText();
    if (before === undefined) continue;
    const { text: after, fixed } = await applySuggestions(path, before, inFile);
    if (fixed.length > 0) fixedTexts.push({ path, before, after, fixed });
  }
  return fixedTexts;
}
