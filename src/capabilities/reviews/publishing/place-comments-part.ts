import type { ChangedFile } from '../../../reviewer/change/change.ts';
import { type ChangeSource, filesByPath } from '../../../reviewer/change/change-source.ts';
import type { Finding } from '../../../reviewer/finding.ts';
import type { Workplace } from '../../../reviewer/process/part.ts';
import { offerSuggestion } from './offer-suggestion.ts';
import { type DiffPlace, placeInDiff } from './place-in-diff.ts';

/** Where the comment for a finding is placed, and what it suggests. */
export interface PlacedComment {
  readonly place: DiffPlace;
  readonly oldPath: string | null;
  /** The replacement for its lines, if it can be applied as it is. */
  readonly suggestion: string | null;
}

/** Places findings in the diff and checks their suggestions. */
export async function work(
  { change, findings }: { readonly change: ChangeSource; readonly findings: readonly Finding[] },
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<(PlacedComment | null)[]> {
  return placeComments(findings, filesByPath(await openChange(change)));
}

export async function placeComments(
  findings: readonly Finding[],
  files: ReadonlyMap<string, ChangedFile>,
): Promise<(PlacedComment | null)[]> {
  const placed: (PlacedComment | null)[] = [];
  for (const finding of findings) {
    const file = files.get(finding.path);
    const place = file === undefined ? null : placeInDiff(finding, file);
    if (file === undefined || place === null) placed.push(null);
    else placed.push({ place, oldPath: file.oldPath, suggestion: await offerSuggestion(finding, file) });
  }
  return placed;
}
