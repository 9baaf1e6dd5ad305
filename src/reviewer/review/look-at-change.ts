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

/** The combined results of rules, repository analysis (`sight`), analyzers and model for a change, before they are judged. */
export interface Look {
  readonly plan: PlannedReview;
  readonly found: readonly Finding[];
  /** The coverage of every file that was not left out, in the order of the change. */
  readonly coverage: readonly FileCoverage[];
  readonly failures: readonly string[];
  readonly remarks: readonly string[];
  /** The result of analyzing the repository around the change; null if that was not done. */
  readonly sight: Pick<Sight, 'impact' | 'totalImpact' | 'isWhole'> | null;
  /** The results of sources that compare both sides of the change. */
  readonly compared: readonly Pick<SourceComparison, 'source' | 'report' | 'failure'>[];
  /** The names of analyzers that have sent all results for this version. */
  readonly reported: readonly string[];
  /** Existing problems, on lines that the change leaves unchanged. */
  readonly standing: Standing;
  /** False if the change could not be read: then nothing is known about it. */
  readonly isRead: boolean;
  readonly answer: ModelAnswer | undefined;
}

/** The results of analyzing only the repository and the two sides of the change. */
export type RepositoryLook = Pick<Look, 'found' | 'coverage' | 'remarks' | 'sight' | 'compared'>;

const planPart = partAt<typeof import('./plan-part.ts')>('plan-part', import.meta.url);

/** Plans the review, and collects the results of rules, repository analysis, comparisons, analyzers and the model. */
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
  // An analyzer can have the name of one of our sources, and so report the same finding.
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
 * Analyzes only the repository around a change whose files have not changed since the last review: on another base, they may
 * be used with other code. The model is not asked.
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

/** The result for a change that cannot be read within the limits: nothing is known about it, not even its files. */
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

/** Converts a look to the fields of a result that say how complete it is. */
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
    count === 0
      ? []
      : [`${count} ${count === 1 ? 'file was' : 'files were'} not reviewed completely (${kinds})`];
  return [...failures, ...unseen].join('; ');
}
