import { isOfAnalyzer, isRuleOf } from '../../../../reviewer/analyzers/analyzer-rules.ts';
import { type FileCoverage, isShortfall } from '../../../../reviewer/coverage.ts';
import { wholeSourceOf } from '../../../../reviewer/rules/whole-change.ts';
import type { PresentPlace } from './former-places.ts';
import type { FindingState, KnownFinding } from './known-finding.ts';

export interface FollowRequest {
  readonly known: readonly KnownFinding[];
  /** The identities of everything that this review found, including findings that it does not raise. */
  readonly foundAgain: ReadonlySet<string>;
  /** The files that were reviewed again, by their present path. */
  readonly reviewed: ReadonlyMap<string, FileCoverage>;
  /** The files that are unchanged since the last review. */
  readonly unchanged: ReadonlySet<string>;
  /** Sources of findings about the change as a whole that did not see all of it in this review; null if none of them ran. */
  readonly unseen: readonly string[] | null;
  /** The analyzers whose reports on this version are complete. */
  readonly reported: readonly string[];
  presentPlaceOf(known: KnownFinding): Promise<PresentPlace | null>;
  /** The path that a file has now; undefined if the change no longer touches it. */
  presentPathOf(known: KnownFinding): string | undefined;
  /** Whether nothing looks for the finding any more, so that its absence means nothing. */
  isOff(known: KnownFinding): boolean;
}

/** The outcome for known open findings that this review did not find again. */
export interface FollowedFindings {
  /** Still open, at their present place. */
  readonly carried: readonly KnownFinding[];
  readonly gone: readonly (KnownFinding & { readonly state: Exclude<FindingState, 'open'> })[];
}

/**
 * Follows open findings that were not found again. If the rule that raised one has looked again, it is resolved. A model
 * does not find everything twice, so its findings stay open until their lines change; so do an analyzer's until it reports
 * again.
 */
export async function followFindings(request: FollowRequest): Promise<FollowedFindings> {
  const carried: KnownFinding[] = [];
  const gone: FollowedFindings['gone'][number][] = [];
  for (const known of request.known) {
    if (!isFollowed(known, request) || request.foundAgain.has(known.identity)) continue;
    const verdict = await followOne(known, request);
    if (typeof verdict === 'string') gone.push({ ...known, state: verdict });
    else carried.push({ ...known, ...verdict });
  }
  return { carried, gone };
}

/** Open findings, and outdated ones of an analyzer that has reported since: those can turn out to be resolved. */
function isFollowed(known: KnownFinding, { reported }: FollowRequest): boolean {
  return known.state === 'open' || (known.state === 'outdated' && isReported(known, reported));
}

function isReported(known: KnownFinding, reported: readonly string[]): boolean {
  return isOfAnalyzer(known) && isRuleOf(reported, known.source.name);
}

/** The file was filtered out or is no longer text, so it is not reviewed any more. */
function isOutOfScope(coverage: FileCoverage): boolean {
  return coverage.state === 'skipped' && coverage.reason !== 'no_rule_for_language' && !isShortfall(coverage);
}

async function followOne(
  known: KnownFinding,
  { reviewed, unchanged, unseen, reported, presentPathOf, presentPlaceOf, isOff }: FollowRequest,
): Promise<PresentPlace | Exclude<FindingState, 'open'>> {
  if (isOff(known)) return 'outdated';
  const path = presentPathOf(known);
  const isRule = known.source.kind === 'rule';
  if (path === undefined) return isRule ? 'resolved' : 'outdated';
  const place = await presentPlaceOf(known);
  const here = place ?? { path, startLine: known.startLine, endLine: known.endLine };
  const whole = wholeSourceOf(known);
  if (whole !== null) return unseen === null || unseen.includes(whole) ? here : 'resolved';
  if (unchanged.has(path)) return here;
  const coverage = reviewed.get(path);
  if (coverage === undefined || isOutOfScope(coverage)) return 'outdated';
  // If there were too many results, this finding may be one of those that were dropped.
  if (isReported(known, reported)) return coverage.reason === 'too_many_findings' ? here : 'resolved';
  if (isRule && !isOfAnalyzer(known)) return isShortfall(coverage) ? here : 'resolved';
  return place ?? 'outdated';
}
