import type { ChangeSource } from '../../../../reviewer/change/change-source.ts';
import { isShortfall } from '../../../../reviewer/coverage.ts';
import type { Finding } from '../../../../reviewer/finding.ts';
import { quietNotes } from '../../../../reviewer/judge/attention.ts';
import { bestFirst, quietOf } from '../../../../reviewer/judge/judge.ts';
import { toNotes } from '../../../../reviewer/notes.ts';
import { partAt } from '../../../../reviewer/process/part.ts';
import { PartEnded } from '../../../../reviewer/process/part-failure.ts';
import { impactOf, type KnownImpact, noImpact } from '../../../../reviewer/report/impact.ts';
import { joinStanding, noneStanding, type Standing } from '../../../../reviewer/report/preexisting.ts';
import {
  describeLook,
  type Look,
  lookAtChange,
  lookAtRepository,
  type RepositoryLook,
} from '../../../../reviewer/review/look-at-change.ts';
import { makeReport } from '../../../../reviewer/review/make-report.ts';
import type { ReviewRequest } from '../../../../reviewer/review/review-request.ts';
import type { ReviewResult } from '../../../../reviewer/review/review-result.ts';
import type { QuietFinding, Report } from '../../../../reviewer/review-report.ts';
import type { Comparison } from '../../../../reviewer/rule-source.ts';
import type { LastReview } from '../pull-request-facts.ts';
import type { EarlierResult } from './earlier-review.ts';
import { asFinding, type KnownFinding } from './known-finding.ts';
import type { SeenFinding } from './known-finding-store.ts';
import type { PrepareRequest } from './prepare-part.ts';

/** The result of a run of a pull request before anything is posted; stored as a stage. */
export interface JudgedPullRequest {
  /** Includes everything that is open now, whether this run found it or an earlier one, worst first. */
  readonly result: ReviewResult;
  /** Identities of findings that were open and no longer are. */
  readonly gone: readonly string[];
  /** All of these, as they are to be stored. */
  readonly seen: readonly SeenFinding[];
  /** What the next review is compared with; null if the change could not be read, so that the last review stays. */
  readonly review: LastReview | null;
}

export interface JudgeRequest extends Omit<ReviewRequest, 'since' | 'leaveOut' | 'seenByModel' | 'lineages'> {
  readonly change: ChangeSource & { readonly kind: 'commits' };
  readonly runId: string;
  readonly known: readonly KnownFinding[];
  readonly last: LastReview | null;
  readonly earlier: EarlierResult | undefined;
  /** The difference between the last reviewed head and this one; null if unknown. */
  readonly since: ChangeSource | null;
  /** The mode and trigger of the run. */
  readonly asked: PrepareRequest['run'];
}

const preparePart = partAt<typeof import('./prepare-part.ts')>('prepare-part', import.meta.url);
const settlePart = partAt<typeof import('./settle-part.ts')>('settle-part', import.meta.url);

/**
 * Reviews what changed in a pull request since it was last reviewed, and follows the findings that are known. A finding keeps
 * its identity whatever happens to its lines, so that none is raised twice (ADR 0086).
 */
export async function judgePullRequest(request: JudgeRequest): Promise<JudgedPullRequest> {
  try {
    return await judge(request);
  } catch (error) {
    if (!(error instanceof PartEnded)) throw error;
    return unread(request, error);
  }
}

async function judge(request: JudgeRequest): Promise<JudgedPullRequest> {
  const { change, configuration, known, last, earlier, since, runId, asked, run } = request;
  const prepared = await run(preparePart, { change, since, last, earlier: earlier ?? null, run: asked });
  // With results of analyzers, rules review every file again, so that findings of both about the same code are joined.
  const hasResults = request.results !== undefined;
  const unchanged = hasResults ? [] : prepared.unchanged;
  const look =
    prepared.isTakenOver && !hasResults
      ? null
      : withEarlierCoverage(
          await lookAtChange({
            ...request,
            leaveOut: unchanged,
            seenByModel: prepared.unchanged,
            lineages: prepared.lineages,
            since: asked.mode === 'incremental' && last !== null ? since : null,
          }),
          prepared.unchanged,
          earlier,
        );
  const isOnOtherBase = last?.base !== change.base;
  const again =
    look === null && isOnOtherBase
      ? await lookAtRepository({ ...request, lineages: prepared.lineages, since: null })
      : null;
  const seen = look ?? again;
  const settling = {
    change,
    since,
    configuration,
    known,
    last,
    unchanged,
    runId,
    look: seen && {
      found: seen.found,
      coverage: seen.coverage,
      unseen: unseenBy(seen),
      reported: look?.reported ?? [],
    },
    records: request.records ?? [],
    earlierCoverage: earlier?.coverage ?? [],
  };
  const settled = await run(settlePart, settling, { deadline: undefined });
  const quiet = unposted(request, settled.open);
  const described = look === null ? { ...earlier!, usage: null } : describeLook(look);
  // On another base, lines and their uses may differ, so the earlier report is not reused.
  const former = isOnOtherBase ? null : (earlier?.report ?? null);
  const { report, notes } =
    look?.isRead === false
      ? { report: null, notes: [] }
      : await makeReport(request, {
          findings: settled.open,
          impact: seen === null ? formerImpact(former) : impactOf(seen.sight),
          compared: seen?.compared ?? (former === null ? [] : [{ report: comparedIn(former) }]),
          standing: standingOf(look, unchanged, former),
          guidelines: look?.answer?.guidelines ?? [],
          checks: [],
          quiet,
        });
  return {
    result: {
      status: described.status,
      reason: described.reason,
      baseRevision: change.base,
      headRevision: change.head,
      coverage: settled.coverage,
      findings: settled.open,
      overflow: [],
      quiet,
      report,
      usage: described.usage,
      guidelines: look?.answer?.guidelines ?? [],
      estimatedComplexity: settled.estimate.complexity,
      estimatedReviewMinutes: settled.estimate.minutes,
      notes: toNotes([
        ...(request.notes ?? []),
        ...(seen?.remarks ?? []),
        ...quietNotes(quiet, settled.open),
        ...notes,
      ]),
    },
    gone: settled.gone,
    seen: settled.seen,
    review: settled.review,
  };
}

/** Adds the earlier coverage of files that the model has reviewed before and need not review again. */
function withEarlierCoverage(look: Look, seen: readonly string[], earlier: EarlierResult | undefined): Look {
  const seenBefore = new Set(seen);
  const known = new Map(
    (earlier?.coverage ?? []).filter(({ path }) => seenBefore.has(path)).map((entry) => [entry.path, entry]),
  );
  if (known.size === 0) return look;
  return {
    ...look,
    coverage: look.coverage.map((entry) => (isShortfall(entry) ? entry : (known.get(entry.path) ?? entry))),
  };
}

/** The open findings that are not posted. Existing comments stay, whatever happens to their rule. */
function unposted(
  { known, records = [], configuration: { reviews } }: JudgeRequest,
  open: readonly Finding[],
): QuietFinding[] {
  const posted = known.filter((finding) => finding.posted !== null).map(({ identity }) => identity);
  return quietOf(open, records, reviews, new Set(posted));
}

function formerImpact(former: Report | null): KnownImpact {
  return former === null ? noImpact : { entries: former.impact, total: former.total_impact };
}

/** The sources of findings about the change as a whole that did not complete. */
function unseenBy({ sight, compared }: RepositoryLook): string[] {
  const failed = compared.filter(({ failure }) => failure !== undefined).map(({ source }) => source);
  return sight?.isWhole === false ? ['references', ...failed] : failed;
}

/** What sources that compare both sides of the change have added to the report. */
function comparedIn({ dependencies, total_dependencies, contracts }: Report): Comparison['report'] {
  return { dependencies, total_dependencies, contracts };
}

/** What rules said in this review, and in the earlier one for files that were not reviewed again. */
function standingOf(look: Look | null, unchanged: readonly string[], former: Report | null): Standing {
  const now = look?.standing ?? noneStanding;
  if (former === null) return now;
  if (look === null) return { entries: former.preexisting, total: former.total_preexisting };
  const kept = new Set(unchanged);
  const entries = former.preexisting.filter(({ path }) => kept.has(path));
  return joinStanding([now, { entries, total: entries.length }]);
}

/** Reading the change exceeded a limit: known findings stay as they are, and nothing is said about the rest. */
function unread(request: JudgeRequest, { message }: PartEnded): JudgedPullRequest {
  const { change, known, notes } = request;
  const open = known.filter(({ state }) => state === 'open').map(asFinding);
  return {
    result: {
      status: 'degraded',
      reason: `the change was not reviewed: ${message}`,
      baseRevision: change.base,
      headRevision: change.head,
      coverage: [],
      findings: open.sort(bestFirst(request.records ?? [])),
      overflow: [],
      quiet: unposted(request, open),
      report: null,
      usage: null,
      estimatedComplexity: 5,
      estimatedReviewMinutes: 480,
      notes: toNotes(notes ?? []),
    },
    gone: [],
    seen: [],
    review: null,
  };
}
