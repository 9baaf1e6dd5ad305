import { redactCredentials } from '../../redaction/redact-credentials.ts';
import { type ChangeSource, filesByPath } from '../../reviewer/change/change-source.ts';
import type { FindingPlace } from '../../reviewer/finding.ts';
import type { Workplace } from '../../reviewer/process/part.ts';

/** Lines of a file, with credentials removed. */
export interface Frame {
  readonly first: number;
  readonly lines: readonly string[];
}

const linesAround = 2;
const maxFrameLines = 12;
const maxLineLength = 500;

/** Reads the lines of findings with some context; null for findings without lines. */
export async function work(
  { change, places }: { readonly change: ChangeSource; readonly places: readonly FindingPlace[] },
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<(Frame | null)[]> {
  const files = filesByPath(await openChange(change));
  const texts = new Map<string, readonly string[] | undefined>();
  const frames: (Frame | null)[] = [];
  for (const { path, side, startLine, endLine } of places) {
    if (!texts.has(path)) texts.set(path, (await files.get(path)?.newText())?.replace(/\n$/, '').split('\n'));
    const whole = texts.get(path);
    const isShown = startLine !== null && endLine !== null && side === 'new' && whole !== undefined;
    frames.push(isShown ? frameOf(whole, startLine, endLine) : null);
  }
  return frames;
}

function frameOf(whole: readonly string[], startLine: number, endLine: number): Frame | null {
  const first = Math.max(startLine - linesAround, 1);
  const lines = whole.slice(first - 1, Math.min(endLine + linesAround, first + maxFrameLines));
  const shown = redactCredentials(lines.join('\n')).split('\n');
  if (shown.length !== lines.length) return null;
  return { first, lines: shown.map((line) => line.slice(0, maxLineLength)) };
}
