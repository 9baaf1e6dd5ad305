import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import type { ChangedFile, Hunk, HunkLine } from '../../change/change.ts';
import { estimateTokens } from '../estimate-tokens.ts';
import { redactLines } from './redact-lines.ts';

/** A part of a file's diff, as a model sees it. */
export interface FilePart {
  readonly path: string;
  readonly text: string;
  readonly tokens: number;
  /** The indexes of the hunks that it shows, fully or in part. */
  readonly hunks: readonly number[];
}

export interface ShownFile {
  readonly parts: readonly FilePart[];
  /** Whether the parts together show every changed line. */
  readonly isWhole: boolean;
}

const marks: Record<HunkLine['kind'], string> = { context: ' ', added: '+', removed: '-' };

/** Formats the hunks of a file without credentials, in parts of at most `maxTokens`. */
export async function showFile(file: ChangedFile, maxTokens: number): Promise<ShownFile> {
  const [current, former] = await Promise.all([redactedText(file.newText()), redactedText(file.oldText())]);
  const heading = headingOf(file);
  const room = maxTokens - estimateTokens(heading) - 1;
  const parts: FilePart[] = [];
  let isWhole = true;
  let lines: string[] = [];
  let numbers = new Set<number>();
  let tokens = 0;
  const finish = () => {
    if (lines.length === 0) return;
    const text = `${heading}\n${redactCredentials(lines.join('\n'))}`;
    parts.push({ path: file.path, text, tokens: estimateTokens(text), hunks: [...numbers] });
    lines = [];
    numbers = new Set();
    tokens = 0;
  };
  for (const [number, hunk] of file.hunks.entries()) {
    const shown = hunkLines(hunk, current, former);
    const size = shown.reduce((sum, line) => sum + estimateTokens(line) + 1, 2);
    if (tokens > 0 && tokens + size > room) finish();
    lines.push('@@');
    tokens += 2;
    for (const line of shown) {
      const cost = estimateTokens(line) + 1;
      if (cost > room) {
        isWhole = false;
        continue;
      }
      if (tokens + cost > room) finish();
      lines.push(line);
      numbers.add(number);
      tokens += cost;
    }
  }
  finish();
  return { parts, isWhole };
}

async function redactedText(text: Promise<string | undefined>): Promise<string[] | undefined> {
  const known = await text;
  return known === undefined ? undefined : redactLines(known);
}

function headingOf({ path, oldPath, kind }: ChangedFile): string {
  const name = redactCredentials(path).replaceAll(/[\r\n]+/g, ' ');
  const from = oldPath === null || oldPath === path ? '' : ` from ${redactCredentials(oldPath)}`;
  return `file: ${name} (${kind}${from.replaceAll(/[\r\n]+/g, ' ')})`;
}

/** The redacted lines of a hunk. If the whole text is known, the text around the hunk helps to recognize credentials. */
function hunkLines(
  { lines }: Hunk,
  current: readonly string[] | undefined,
  former: readonly string[] | undefined,
): string[] {
  const own = redactLines(lines.map(({ text }) => text).join('\n'));
  return lines.map(({ kind, newLine, oldLine }, index) => {
    const whole = newLine === null ? former?.[(oldLine ?? 0) - 1] : current?.[newLine - 1];
    const text = whole === undefined || own[index] !== lines[index]!.text ? own[index]! : whole;
    return `${marks[kind]}${text.replace(/\r$/, '')}`;
  });
}
