import type { Finding } from '../../../reviews/wire.ts';
import type { Place } from '../../place.ts';
import { type ChangedFile, missingLines, type Patch } from '../../wire.ts';
import { type DiffLine, type Fold, isFold, linesOfPatch, pairLines } from './diff-lines.ts';

/** A requested patch, or why it could not be loaded. */
export type PatchState = Patch | { readonly failure: string };

interface Of {
  readonly key: string;
  readonly file: ChangedFile;
}

/** A row in the list of all files; only visible rows are rendered. */
export type DiffRow =
  | (Of & { readonly kind: 'file'; readonly isCollapsed: boolean })
  /** Its patch is still loading. */
  | (Of & { readonly kind: 'waiting' })
  | (Of & { readonly kind: 'note'; readonly text: string; readonly isFailure: boolean })
  | (Of & { readonly kind: 'fold'; readonly fold: Fold })
  | (Of & { readonly kind: 'line'; readonly line: DiffLine })
  | (Of & { readonly kind: 'pair'; readonly left: DiffLine | null; readonly right: DiffLine | null })
  | (Of & {
      readonly kind: 'finding';
      readonly finding: Finding;
      /** The lines that its suggestion would replace, if all of them are shown. */
      readonly replaced: readonly string[] | undefined;
    });

/** The state that determines the rows of a file. */
export interface FileView {
  readonly file: ChangedFile;
  readonly patch: PatchState | undefined;
  readonly findings: readonly Finding[];
  readonly unfolded: ReadonlyMap<number, string>;
  readonly isCollapsed: boolean;
  readonly isSplit: boolean;
}

/** The rows of one file: its name, then its lines with findings below those that they are about. */
export function rowsOfFile(view: FileView): DiffRow[] {
  const { file, patch, findings, isCollapsed } = view;
  const head: DiffRow = { kind: 'file', key: file.path, file, isCollapsed };
  if (isCollapsed) return [head];
  const note = (text: string, isFailure = false): DiffRow => ({
    kind: 'note',
    key: `${file.path}\0note ${text}`,
    file,
    text,
    isFailure,
  });
  if (file.missing !== null && file.missing !== 'too_large')
    return [head, note(missingLines[file.missing]), ...findings.map((one) => findingRow(file, one))];
  if (patch === undefined) return [head, { kind: 'waiting', key: `${file.path}\0waiting`, file }];
  if ('failure' in patch)
    return [head, note(patch.failure, true), ...findings.map((one) => findingRow(file, one))];
  const [lines, unplaced] = withFindings(view, patch);
  return [head, ...notesOf(file, patch).map((text) => note(text)), ...unplaced, ...lines];
}

/** What is said about a file whose change has no lines. */
const withoutLines: Readonly<Record<ChangedFile['kind'], string>> = {
  added: 'The file is empty.',
  deleted: 'The file was empty.',
  modified: 'Only the file mode changed.',
  renamed: 'Moved without changes.',
  copied: 'Copied without changes.',
};

function notesOf(file: ChangedFile, patch: Patch): string[] {
  const notes: string[] = [];
  if (patch.missing !== null) notes.push(missingLines[patch.missing]);
  if (patch.is_pointer) notes.push('The file is stored in Git LFS; this is its pointer.');
  if (patch.is_cut) notes.push('Very long lines, or the end of a very long change, are not shown.');
  if (patch.missing === null && patch.hunks.length === 0) notes.push(withoutLines[file.kind]);
  return notes;
}

const findingRow = (
  file: ChangedFile,
  finding: Finding,
  lines: readonly (DiffLine | Fold)[] = [],
): DiffRow => ({
  kind: 'finding',
  key: `${file.path}\0finding ${finding.finding_id}`,
  file,
  finding,
  replaced: replacedBy(finding, lines),
});

function replacedBy(
  { suggestion, side, start_line: start, end_line: end }: Finding,
  lines: readonly (DiffLine | Fold)[],
): string[] | undefined {
  if (suggestion === null || side !== 'new' || start === null) return undefined;
  const last = end ?? start;
  const texts = lines.flatMap((line) =>
    !isFold(line) && line.newLine !== null && line.newLine >= start && line.newLine <= last
      ? [line.text]
      : [],
  );
  return texts.length === last - start + 1 ? texts : undefined;
}

/** The last line that a finding is about, as part of a key. */
const placeOf = ({ side, start_line, end_line }: Finding) => `${side} ${end_line ?? start_line}`;

function withFindings(view: FileView, patch: Patch): [lines: DiffRow[], unplaced: DiffRow[]] {
  const { file, findings, isSplit, unfolded } = view;
  const all = linesOfPatch(patch, unfolded);
  const waiting = new Map<string, Finding[]>();
  for (const finding of findings)
    waiting.set(placeOf(finding), [...(waiting.get(placeOf(finding)) ?? []), finding]);
  const take = (line: DiffLine | null, side: 'old' | 'new'): DiffRow[] => {
    const number = side === 'old' ? line?.oldLine : line?.newLine;
    const place = `${side} ${number}`;
    const found = number === null || number === undefined ? undefined : waiting.get(place);
    if (found === undefined) return [];
    waiting.delete(place);
    return found.map((finding) => findingRow(file, finding, all));
  };
  const rows: DiffRow[] = [];
  for (const entry of isSplit ? pairLines(all) : all) {
    if ('shift' in entry) {
      rows.push({ kind: 'fold', key: `${file.path}\0fold ${entry.from}`, file, fold: entry });
      continue;
    }
    if ('sign' in entry) {
      rows.push({ kind: 'line', key: `${file.path}\0${entry.oldLine} ${entry.newLine}`, file, line: entry });
      rows.push(...take(entry, 'old'), ...take(entry, 'new'));
      continue;
    }
    const { left, right } = entry;
    const key = `${file.path}\0pair ${left?.oldLine ?? ''} ${right?.newLine ?? ''}`;
    rows.push({ kind: 'pair', key, file, left, right }, ...take(left, 'old'), ...take(right, 'new'));
  }
  return [rows, [...waiting.values()].flat().map((finding) => findingRow(file, finding))];
}

/** The estimated height of a row in pixels, until it has been measured. */
export function estimateHeight(row: DiffRow): number {
  if (row.kind === 'file') return 48;
  if (row.kind === 'waiting') return Math.max(1, row.file.lines) * lineHeight;
  if (row.kind === 'finding') return 230;
  return row.kind === 'note' ? 36 : row.kind === 'fold' ? 28 : lineHeight;
}

const lineHeight = 20;

/** Whether a row shows this line of the new version. */
export const isAt = (row: DiffRow, { path, line }: Place): boolean =>
  row.file.shown_path === path &&
  ((row.kind === 'line' && row.line.newLine === line) ||
    (row.kind === 'pair' && row.right?.newLine === line));

/** Names of generated files, which are collapsed at first. */
const generated =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|poetry\.lock|uv\.lock|Cargo\.lock|go\.sum|composer\.lock|Gemfile\.lock)$|\.min\.(js|css)$|\.snap$/;

export const isGenerated = ({ path }: Pick<ChangedFile, 'path'>) => generated.test(path);
