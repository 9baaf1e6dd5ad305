import type { Change, ChangedFile } from '../../../change/change.ts';
import { silencedLines } from '../../silenced-lines.ts';
import type { Hit } from '../engine/value.ts';
import { type FlowFinder, isFollowed } from '../find-flows.ts';
import { checkExpressions, type Verdict } from './check-expressions.ts';
import { expressionsIn, type FoundExpression } from './expressions-in.ts';

/**
 * A regular expression that is new in the change, a text that makes it slow, and the flow of an untrusted text to it; null if
 * none is known.
 */
export interface SlowExpression {
  readonly path: string;
  readonly expression: FoundExpression;
  readonly verdict: NonNullable<Verdict>;
  readonly hit: Hit | null;
}

type Candidate = Pick<SlowExpression, 'path' | 'expression'>;

const hasExpressions = (path: string) => /\.(?:[cm]?[jt]sx?|py)$/.test(path) && isFollowed(path);

/** Finds expressions on added lines that no changed file had before, and that can be made to run for seconds. */
export async function findSlowExpressions(
  { files }: Change,
  head: FlowFinder,
  signal: AbortSignal,
  end: AbortSignal,
): Promise<{ readonly slow: readonly SlowExpression[]; readonly unchecked: readonly string[] }> {
  const candidates: Candidate[] = [];
  for (const file of files)
    if (file.kind !== 'deleted' && hasExpressions(file.path)) candidates.push(...(await addedIn(file)));
  const brought = await withoutOld(candidates, files);
  const verdicts = await checkExpressions(
    brought.map(({ expression }) => expression),
    signal,
    end,
  );
  const slow: SlowExpression[] = [];
  const unchecked = new Set<string>();
  for (const { path, expression } of brought) {
    const verdict = verdicts.get(expression);
    if (verdict === undefined) unchecked.add(path);
    if (verdict == null) continue;
    const { hits } = await head.find(path);
    const own = hits.filter(({ pattern }) => pattern?.split('\n').includes(expression.written));
    const hit = own.find(({ label }) => label.origin === 'request') ?? own[0] ?? null;
    if (!verdict.isQuadratic || isWithinReach(verdict, hit)) slow.push({ path, expression, verdict, hit });
  }
  return { slow, unchecked: [...unchecked] };
}

/** The longest text assumed to reach a library through its callers: few of them accept longer ones from strangers. */
const maxSent = 80_000;

/** Whether an untrusted text that is long enough can reach an expression that is only quadratic. */
function isWithinReach({ length }: NonNullable<Verdict>, hit: Hit | null): boolean {
  return hit !== null && (hit.label.origin === 'request' || length <= maxSent);
}

/** A repetition between slashes or quotes. */
const looksLikeOne = /[/'"`].*[*+}].*[/'"`]/;

async function addedIn(file: ChangedFile): Promise<Candidate[]> {
  const added = file.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'added'));
  if (!added.some(({ text }) => looksLikeOne.test(text))) return [];
  const text = await file.newText();
  if (text === undefined) return [];
  const isSilenced = silencedLines(text, 'flows');
  return (await expressionsIn(file.path, text))
    .filter(({ line }) => file.addedLines.has(line) && !isSilenced(line))
    .map((expression) => ({ path: file.path, expression }));
}

/** Whether a text has the whole expression, not only as a part of another one. */
const isIn = (text: string, { written }: FoundExpression) =>
  ['/', "'", '"', '`'].some((sign) => text.includes(`${sign}${written}${sign}`));

/** Leaves out expressions that were in one of these files before, even if they have moved. */
async function withoutOld(
  candidates: readonly Candidate[],
  files: readonly ChangedFile[],
): Promise<Candidate[]> {
  let left = [...candidates];
  for (const file of files) {
    if (left.length === 0) break;
    if (file.oldPath === null || !hasExpressions(file.oldPath)) continue;
    const text = (await file.oldText()) ?? '';
    left = left.filter(({ expression }) => !isIn(text, expression));
  }
  return left;
}
