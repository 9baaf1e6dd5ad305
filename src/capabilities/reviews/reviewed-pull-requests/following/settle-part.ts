import type { ChangeSource } from '../../../../reviewer/change/change-source.ts';
import { filesByPath } from '../../../../reviewer/change/change-source.ts';
import type { ReviewConfiguration } from '../../../../reviewer/configuration/review-configuration.ts';
import type { FileCoverage } from '../../../../reviewer/coverage.ts';
import type { Finding } from '../../../../reviewer/finding.ts';
import { isOff, type RuleRecord, rulesOff } from '../../../../reviewer/judge/attention.ts';
import { bestFirst, judgeFindings } from '../../../../reviewer/judge/judge.ts';
import type { Workplace } from '../../../../reviewer/process/part.ts';
import { type Estimate, estimateReview } from '../../../../reviewer/review/estimate.ts';
import { planReview } from '../../../../reviewer/review/plan.ts';
import { wholeSourceOf } from '../../../../reviewer/rules/whole-change.ts';
import type { LastReview } from '../pull-request-facts.ts';
import { patchOfChange, reviewedFiles } from './change-patch.ts';
import { followFindings } from './follow-findings.ts';
import { formerPlaces } from './former-places.ts';
import { asFinding, type KnownFinding } from './known-finding.ts';
import type { SeenFinding } from './known-finding-store.ts';
import { lineages } from './lineage.ts';
import { recognizeFindings } from './recognize-findings.ts';

export interface SettleRequest {
  readonly change: ChangeSource;
  readonly since: ChangeSource | null;
  readonly configuration: ReviewConfiguration;
  readonly known: readonly KnownFinding[];
  readonly last: LastReview | null;
  readonly unchanged: readonly string[];
  readonly runId: string;
  /** The findings and coverage of the files that were reviewed; null if none were. */
  readonly look: {
    readonly found: readonly Finding[];
    readonly coverage: readonly FileCoverage[];
    /** Sources of findings about the change as a whole that did not see all of it. */
    readonly unseen: readonly string[];
    /** The analyzers whose reports on this version are complete. */
    readonly reported: readonly string[];
  } | null;
  readonly records: readonly RuleRecord[];
  /** The coverage of the other files in an earlier review. */
  readonly earlierCoverage: readonly FileCoverage[];
}

export interface Settled {
  /** Everything that is open now, whether this run found it or an earlier one, worst first. */
  readonly open: readonly Finding[];
  /** Identities of findings that were open and no longer are. */
  readonly gone: readonly string[];
  readonly seen: readonly SeenFinding[];
  readonly coverage: readonly FileCoverage[];
  readonly estimate: Estimate;
  readonly review: LastReview;
}

/** Recognizes findings, judges them, and follows the known ones. */
export async function work(
  request: SettleRequest,
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<Settled> {
  const { configuration, known, last, look, runId, records } = request;
  const change = await openChange(request.change);
  const since = request.since === null ? null : await openChange(request.since);
  const unchanged = new Set(request.unchanged);
  const lineageOf = lineages(change, last?.files ?? [], since);
  const places = formerPlaces(change, since, lineageOf, last?.files ?? []);
  const fileOf = filesByPath(change);
  const pathOfLineage = new Map(change.files.map((file) => [lineageOf(file), file.path]));
  const presentPathOf = ({ lineage }: KnownFinding) => pathOfLineage.get(lineage);
  // People can have their reasons to dismiss it although it is still found.
  const dismissed = new Set(
    known.filter(({ state }) => state === 'dismissed').map(({ identity }) => identity),
  );
  const off = rulesOff(records);
  const found =
    look === null
      ? []
      : recognizeFindings(
          look.found.filter((finding) => !isOff(finding, off)),
          {
            known,
            formerPlaceOf: places.formerPlaceOf,
            isCarried: (finding) =>
              wholeSourceOf(finding) === null && unchanged.has(presentPathOf(finding) ?? ''),
            lineageOf: ({ path }) => lineageOf(fileOf.get(path)!),
          },
        );
  const seen = { known: new Set(known.map(({ identity }) => identity)), dismissed };
  const raised = judgeFindings(found, configuration, seen, records);
  const coverage = new Map<string, FileCoverage>(look?.coverage.map((entry) => [entry.path, entry]));
  const { carried, gone } = await followFindings({
    known,
    foundAgain: new Set(found.map(({ identity }) => identity)),
    reviewed: coverage,
    unchanged,
    unseen: look?.unseen ?? null,
    reported: look?.reported ?? [],
    presentPlaceOf: places.presentPlaceOf,
    presentPathOf,
    isOff: (finding) => isOff(finding, off),
  });
  const head = change.headRevision!;
  const open = [...raised.findings, ...raised.overflow, ...carried.map(asFinding)].sort(bestFirst(records));
  const seenAs = (finding: Finding, state: SeenFinding['state']): SeenFinding => {
    const file = fileOf.get(finding.path);
    const lineage = file === undefined ? finding.path : lineageOf(file);
    return { ...finding, lineage, headRevision: head, state, lastRunId: runId };
  };
  const carriedCoverage = new Map(request.earlierCoverage.map((entry) => [entry.path, entry]));
  return {
    open,
    gone: gone.map(({ identity }) => identity),
    seen: [
      ...open.map((finding) => seenAs(finding, 'open')),
      ...found
        .filter(({ identity }) => dismissed.has(identity))
        .map((finding) => seenAs(finding, 'dismissed')),
      ...gone.map(({ posted: _posted, accepted: _accepted, ...finding }) => finding),
    ],
    coverage: change.files.map(
      ({ path }) =>
        coverage.get(path) ?? carriedCoverage.get(path) ?? { path, state: 'full' as const, reason: null },
    ),
    estimate: estimateReview(planReview(change, configuration).inScope),
    review: {
      runId,
      head,
      base: change.baseRevision!,
      patch: patchOfChange(change),
      files: reviewedFiles(change, lineageOf),
    },
  };
}
