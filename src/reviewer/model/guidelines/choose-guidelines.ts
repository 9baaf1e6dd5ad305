import { estimateTokens } from '../estimate-tokens.ts';
import { type Guideline, holdsFor } from './guideline.ts';

/** The guidelines that one call shows. */
export interface ChosenGuidelines {
  readonly shown: readonly Guideline[];
  /** The paths of those of which only the beginning is shown. */
  readonly cut: readonly string[];
  readonly leftOut: readonly string[];
}

/** A shorter beginning of a guideline is of no use. */
const leastTokens = 100;

/** Chooses the guidelines that apply to the files of a call, in their order, as far as they fit. Equal texts are shown once. */
export function chooseGuidelines(
  guidelines: readonly Guideline[],
  paths: readonly string[],
  maxTokens: number,
): ChosenGuidelines {
  const shown: Guideline[] = [];
  const cut: string[] = [];
  const leftOut: string[] = [];
  let room = maxTokens;
  for (const guideline of guidelines.filter((each) => paths.some(holdsFor(each)))) {
    if (shown.some(({ text }) => text === guideline.text)) continue;
    const tokens = estimateTokens(guideline.path + guideline.text);
    if (tokens <= room) {
      shown.push(guideline);
      room -= tokens;
    } else if (room >= leastTokens) {
      shown.push({ ...guideline, text: beginningOf(guideline.text, room - estimateTokens(guideline.path)) });
      cut.push(guideline.path);
      room = 0;
    } else leftOut.push(guideline.path);
  }
  return { shown, cut, leftOut };
}

/** The first lines that fit; if not even one does, the beginning of the text. */
function beginningOf(text: string, maxTokens: number): string {
  const lines: string[] = [];
  let room = maxTokens;
  for (const line of text.split('\n')) {
    room -= estimateTokens(`${line}\n`);
    if (room < 0) break;
    lines.push(line);
  }
  return lines.length === 0 ? text.slice(0, maxTokens) : lines.join('\n');
}
