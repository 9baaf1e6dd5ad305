import type { Change } from '../../../../reviewer/change/change.ts';
import type { ReviewConfiguration } from '../../../../reviewer/configuration/review-configuration.ts';
import type { Finding } from '../../../../reviewer/finding.ts';
import { worstFirst } from '../../../../reviewer/judge/judge.ts';
import type { FileCoverage } from '../../../../reviewer/review/coverage.ts';
import { estimateReview } from '../../../../reviewer/review/estimate.ts';
import { planReview } from '../../../../reviewer/review/plan.ts';
import { type ReviewRequest, reviewChange } from '../../../../reviewer/review/review-change.ts';
import type { ReviewResult } from '../../../../reviewer/review/review-result.ts';
import type { LastReview } from '../pull-request-record.ts';
import { patchOfChange, reviewedFiles } from './change-patch.ts';
import { chooseUnchanged, type EarlierResult, focusOn } from './earlier-review.ts';
import type { SeenFinding } from './finding-store.ts';
import { followFindings } from './follow-findings.ts';
import { formerPlaces } from './former-places.ts';
import type { KnownFinding } from './known-finding.ts';
import { lineages } from './lineage.ts';
import { recognizeFindings } from './recognize-findings.ts';

/** What a run of a pull request came to, before anything is posted; kept as a stage. */
export interface JudgedPullRequest {
  /** With everything that is open now, whether this run found it or an earlier one, worst first. */
  readonly result: ReviewResult;
  /** Identities of findings that were open and no longer are. */
  readonly gone: readonly string[];
  /** All of these, as they are to be stored. */
  readonly seen: readonly SeenFinding[];
  readonly review: LastReview;
}

export interface JudgeRequest
  extends Pick<ReviewRequest, 'sources' | 'model' | 'signal' | 'deadline' | 'stage' | 'notes'> {
  readonly runId: string;
  readonly change: Change;
  readonly configuration: ReviewConfiguration;
  readonly known: readonly KnownFinding[];
  readonly last: LastReview | null;
  readonly earlier: EarlierResult | undefined;
  /** What differs between the head that was last reviewed and this one; null if nobody knows. */
  readonly since: Change | null;
  readonly run: Parameters<typeof chooseUnchanged>[3];
}

/**
 * Reviews what changed in a pull request since it was last reviewed, and follows the findings that are known. A finding keeps
 * its identity whatever happens to its lines, so that none is raised twice (ADR 0086).
 */
export async function judgePullRequest(request: JudgeRequest): Promise<JudgedPullRequest> {
  const { change, configuration, known, last, earlier, since, runId } = request;
  const { unchanged, isTakenOver } = chooseUnchanged(change, last, earlier, request.run);
  const lineageOf = lineages(change, last?.files ?? [], since);
  const places = formerPlaces(change, since, lineageOf, last?.files ?? []);
  const fileOf = new Map(change.files.map((file) => [file.path, file]));
  const pathOfLineage = new Map(change.files.map((file) => [lineageOf(file), file.path]));
  const presentPathOf = ({ lineage }: KnownFinding) => pathOfLineage.get(lineage);
  // By people, who may have their reasons although it is still found.
  const isSettled = ({ state, lastRunId }: KnownFinding) =>
    state === 'dismissed' || (state === 'resolved' && lastRunId === last?.runId);
  const settled = new Map(known.filter(isSettled).map((finding) => [finding.identity, finding]));
  const found: Finding[] = [];
  const reviewed = isTakenOver
    ? undefined
    : await reviewChange({
        ...request,
        change: { ...change, files: change.files.filter(({ path }) => !unchanged.has(path)) },
        lineageOf,
        ...(request.run.mode === 'incremental' && last !== null && { focusOf: focusOn(since) }),
        dismissed: new Set(settled.keys()),
        recognize: (raised) => {
          const recognized = recognizeFindings(raised, {
            known,
            formerPlaceOf: places.formerPlaceOf,
            isCarried: (finding) => unchanged.has(presentPathOf(finding) ?? ''),
            lineageOf: ({ path }) => lineageOf(fileOf.get(path)!),
          });
          found.push(...recognized);
          return recognized;
        },
      });
  const coverage = new Map<string, FileCoverage>(reviewed?.coverage.map((entry) => [entry.path, entry]));
  const { carried, gone } = await followFindings({
    known,
    foundAgain: new Set(found.map(({ identity }) => identity)),
    reviewed: coverage,
    unchanged,
    presentPlaceOf: places.presentPlaceOf,
    presentPathOf,
  });
  const head = change.headRevision!;
  const raised = [...(reviewed?.findings ?? []), ...(reviewed?.overflow ?? [])];
  const open = [...raised, ...carried.map(asFinding)].sort(worstFirst);
  const seenAs = (finding: Finding, state: SeenFinding['state']): SeenFinding => {
    const file = fileOf.get(finding.path);
    const lineage = file === undefined ? finding.path : lineageOf(file);
    return { ...finding, lineage, headRevision: head, state, lastRunId: runId };
  };
  const carriedCoverage = new Map((earlier?.coverage ?? []).map((entry) => [entry.path, entry]));
  const { complexity, minutes } = estimateReview(planReview(change, configuration).inScope);
  return {
    result: {
      status: reviewed?.status ?? earlier!.status,
      reason: reviewed === undefined ? earlier!.reason : reviewed.reason,
      baseRevision: change.baseRevision,
      headRevision: head,
      coverage: change.files.map(
        ({ path }) =>
          coverage.get(path) ?? carriedCoverage.get(path) ?? { path, state: 'full' as const, reason: null },
      ),
      findings: open,
      overflow: [],
      usage: reviewed?.usage ?? null,
      estimatedComplexity: complexity,
      estimatedReviewMinutes: minutes,
      notes: request.notes ?? [],
    },
    gone: gone.map(({ identity }) => identity),
    seen: [
      ...open.map((finding) => seenAs(finding, 'open')),
      ...found
        .filter(({ identity }) => settled.has(identity))
        .map((finding) => seenAs(finding, settled.get(finding.identity)!.state)),
      ...gone.map(({ posted: _posted, accepted: _accepted, ...finding }) => finding),
    ],
    review: {
      runId,
      head,
      base: change.baseRevision!,
      patch: patchOfChange(change),
      files: reviewedFiles(change, lineageOf),
    },
  };
}

function asFinding({
  path,
  side,
  startLine,
  endLine,
  severity,
  category,
  title,
  body,
  suggestion,
  identity,
  source,
  quote,
  symbol,
  isInDiff,
  learningIds,
}: Finding): Finding {
  const place = { path, side, startLine, endLine };
  const text = { severity, category, title, body, suggestion };
  return { ...place, ...text, identity, source, quote, symbol, isInDiff, learningIds };
}
