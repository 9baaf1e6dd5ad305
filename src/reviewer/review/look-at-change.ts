import { type FileCoverage, isShortfall, withTooMany } from '../coverage.ts';
import { type Finding, withGrounds } from '../finding.ts';
import type { ModelAnswer } from '../model/model-reviewer.ts';
import { partAt } from '../process/part.ts';
import { PartEnded } from '../process/part-failure.ts';
import { joinStanding, noneStanding, type Standing } from '../report/preexisting.ts';
import { type Sight, withSight } from '../sight.ts';
import { askAnalyzers } from './ask-analyzers.ts';
import { askModel } from './ask-model.ts';
import { askRules } from './ask-rules.ts';
import { askComparison, withComparisons } from './comparison/ask-comparison.ts';
import type { SourceComparison } from './comparison/compare-part.ts';
import type { PlannedReview } from './plan-part.ts';
import type { ReviewRequest, StageKeeper } from './review-request.ts';
import type { ReviewResult } from './review-result.ts';
import { askSight } from './sight/ask-sight.ts';

/** What rules, the look into the repository and the model saw in a change, before anybody judges it. */
export interface Look {
  readonly plan: PlannedReview;
  readonly found: readonly Finding[];
  /** Every file that was not left out, in the order of the change. */
  readonly coverage: readonly FileCoverage[];
  readonly failures: readonly string[];
  readonly remarks: readonly string[];
  /** What the repository behind the change showed; null where nobody looked. */
  readonly sight: Pick<Sight, 'impact' | 'totalImpact' | 'isWhole'> | null;
  /** What sources came to that compared both sides of the change. */
  readonly compared: readonly Pick<SourceComparison, 'source' | 'report' | 'failure'>[];
  /** Analyzers that reported everything about this version. */
  readonly reported: readonly string[];
  /** What rules say about lines that the change leaves as they were. */
  readonly standing: Standing;
  /** False if the change could not be read: then nothing is known of it. */
  readonly isRead: boolean;
  readonly answer: ModelAnswer | undefined;
}

/** What a look at the two sides alone came to. */
export type RepositoryLook = Pick<Look, 'found' | 'coverage' | 'remarks' | 'sight' | 'compared'>;

const planPart = partAt<typeof import('./plan-part.ts')>('plan-part', import.meta.url);

/** Plans the review, lets rules and the model look at the change, and rules at the repository behind it, and hears analyzers. */
export async function lookAtChange(request: ReviewRequest): Promise<Look> {
  const stage: StageKeeper = request.stage ?? ((_name, work) => work());
  const { change, configuration, leaveOut = [] } = request;
  const planned = await request.run(planPart, { change, configuration, leaveOut }).catch((error: unknown) => {
    if (error instanceof PartEnded) return error;
    throw error;
  });
  if (planned instanceof PartEnded) return unread(planned);
  const byRules = await stage('rules', () => askRules(request, planned));
  const bySight = await stage('sight', () => askSight(request, planned.sayable));
  const compared = await stage('comparison', () => askComparison(request, planned.sayable));
  const byAnalyzers = await stage('analyzers', () => askAnalyzers(request, planned));
  const seenByModel = new Set(request.seenByModel);
  const unseen = planned.withHunks.filter((path) => !seenByModel.has(path));
  const byModel = await stage('model', () => askModel(request, unseen, byRules, bySight));
  const locked = planned.lockFiles.map(
    (path): FileCoverage => ({ path, state: 'skipped', reason: 'no_rule_for_language' }),
  );
  const cut = new Set(byAnalyzers?.cut);
  const seen = [...locked, ...byModel.coverage]
    .map((entry) => withSight(withComparisons(entry, compared), bySight))
    .map((entry) => (cut.has(entry.path) ? withTooMany(entry) : entry));
  const known = new Map([...planned.outOfScope, ...seen].map((entry) => [entry.path, entry]));
  // The same rule may be one of ours, and of an analyzer that has the name of one.
  const own = new Set(byRules.findings.map(({ identity }) => identity));
  return {
    plan: planned,
    found: [
      ...byRules.findings,
      ...(bySight?.findings ?? []),
      ...compared.flatMap(({ findings }) => findings),
      ...(byAnalyzers?.findings ?? []).filter(({ identity }) => !own.has(identity)),
      ...byModel.findings,
    ].map(withGrounds),
    coverage: planned.files.map((path) => known.get(path)!),
    failures: [...byRules.failures, ...compared.flatMap(({ failure }) => failure ?? []), ...byModel.failures],
    remarks: [
      ...(byRules.remarks ?? []),
      ...(bySight?.notes ?? []),
      ...compared.flatMap(({ notes }) => notes),
      ...(byAnalyzers?.notes ?? []),
      ...(byModel.notes ?? []),
    ],
    sight: withoutFindings(bySight),
    compared,
    reported: byAnalyzers?.tools ?? [],
    standing: joinStanding([byRules.standing ?? noneStanding, byAnalyzers?.standing ?? noneStanding]),
    isRead: true,
    answer: byModel.answer,
  };
}

/**
 * Looks only into the repository behind a change whose files are as they were when last reviewed: on another base they may
 * meet other code. It asks no model.
 */
export async function lookAtRepository(request: ReviewRequest): Promise<RepositoryLook> {
  const { change, configuration } = request;
  const stage: StageKeeper = request.stage ?? ((_name, work) => work());
  const { sayable } = await request.run(planPart, { change, configuration, leaveOut: [] });
  const seen = await stage('sight', () => askSight(request, sayable));
  const compared = await stage('comparison', () => askComparison(request, sayable));
  return {
    found: [...(seen?.findings ?? []), ...compared.flatMap(({ findings }) => findings)].map(withGrounds),
    coverage: [],
    remarks: [...(seen?.notes ?? []), ...compared.flatMap(({ notes }) => notes)],
    sight: withoutFindings(seen),
    compared,
  };
}

function withoutFindings(seen: Sight | null): Look['sight'] {
  return seen && { impact: seen.impact, totalImpact: seen.totalImpact, isWhole: seen.isWhole };
}

/** A change that cannot even be read within the limits: nothing is known of it, not even its files. */
function unread({ message }: PartEnded): Look {
  return {
    plan: {
      baseRevision: null,
      headRevision: null,
      files: [],
      inScope: [],
      generated: [],
      withHunks: [],
      lockFiles: [],
      outOfScope: [],
      sayable: [],
      estimate: { complexity: 5, minutes: 480 },
    },
    found: [],
    coverage: [],
    failures: [`the change was not reviewed: ${message}`],
    remarks: [],
    sight: null,
    compared: [],
    reported: [],
    standing: noneStanding,
    isRead: false,
    answer: undefined,
  };
}

/** How far a look went, in the words of a result. */
export function describeLook({
  plan,
  coverage,
  failures,
  answer,
}: Look): Omit<ReviewResult, 'findings' | 'overflow' | 'notes' | 'report'> {
  const shortfalls = coverage.filter(isShortfall);
  const isDegraded = shortfalls.length > 0 || failures.length > 0;
  return {
    status: isDegraded ? 'degraded' : 'succeeded',
    reason: isDegraded ? reasonOf(shortfalls, failures) : null,
    baseRevision: plan.baseRevision,
    headRevision: plan.headRevision,
    coverage,
    usage: answer?.usage ?? null,
    guidelines: answer?.guidelines ?? [],
    estimatedComplexity: plan.estimate.complexity,
    estimatedReviewMinutes: plan.estimate.minutes,
  };
}

function reasonOf(shortfalls: readonly FileCoverage[], failures: readonly string[]): string {
  const count = shortfalls.length;
  const kinds = [...new Set(shortfalls.map(({ reason }) => reason))].join(', ');
  const unseen =
    count === 0 ? [] : [`${count} ${count === 1 ? 'file was' : 'files were'} not reviewed whole (${kinds})`];
  return [...failures, ...unseen].join('; ');
}
