import type { Change, ChangedFile } from '../../../change/change.ts';
import { silencedLines } from '../../silenced-lines.ts';
import type { Hit } from '../engine/value.ts';
import { type FlowFinder, isFollowed } from '../find-flows.ts';
import { checkExpressions, type Verdict } from './check-expressions.ts';
import { expressionsIn, type FoundExpression } from './expressions-in.ts';

/** A regular expression that the change brings, a text for which it is slow, and the way that somebody else's text has to it. */
export interface SlowExpression {
  readonly path: string;
  readonly expression: FoundExpression;
  readonly verdict: NonNullable<Verdict>;
  readonly hit: Hit | null;
}

type Candidate = Pick<SlowExpression, 'path' | 'expression'>;

const hasExpressions = (path: string) => /\.(?:[cm]?[jt]sx?|py)$/.test(path) && isFollowed(path);

/** Expressions on added lines that no changed file had before, and that can be made to run for seconds. */
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

/** Callers of a library hand on what they are sent; longer texts than this hardly anybody lets strangers send. */
const maxSent = 80_000;

/** Whether somebody can give a merely quadratic one a text that is long enough. */
function isWithinReach({ length }: NonNullable<Verdict>, hit: Hit | null): boolean {
  return hit !== null && (hit.label.origin === 'request' || length <= maxSent);
}

/** Something that is repeated, between slashes or quotes. */
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

/** Whether a whole expression stands there; a part of another one is something else. */
const isIn = (text: string, { written }: FoundExpression) =>
  ['/', "'", '"', '`'].some((sign) => text.includes(`${sign}${written}${sign}`));

/** What stood somewhere in these files before is not new, wherever it stands now. */
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
