import { isOfAnalyzer, isRuleOf } from '../../../../reviewer/analyzers/analyzer-rules.ts';
import { type FileCoverage, isShortfall } from '../../../../reviewer/coverage.ts';
import { wholeSourceOf } from '../../../../reviewer/rules/whole-change.ts';
import type { PresentPlace } from './former-places.ts';
import type { FindingState, KnownFinding } from './known-finding.ts';

export interface FollowRequest {
  readonly known: readonly KnownFinding[];
  /** Identities of everything that this review found, also of what it does not raise. */
  readonly foundAgain: ReadonlySet<string>;
  /** Files that were looked at again, by their present path. */
  readonly reviewed: ReadonlyMap<string, FileCoverage>;
  /** Files that are as they were when last reviewed. */
  readonly unchanged: ReadonlySet<string>;
  /** Sources of what is not about a file alone that did not look at all of it again; null if none did. */
  readonly unseen: readonly string[] | null;
  /** Analyzers that have reported everything about this version. */
  readonly reported: readonly string[];
  presentPlaceOf(known: KnownFinding): Promise<PresentPlace | null>;
  /** The path that a file has now; undefined if the change no longer touches it. */
  presentPathOf(known: KnownFinding): string | undefined;
  /** Whether nobody looks for it any more: that it is not found says nothing. */
  isOff(known: KnownFinding): boolean;
}

/** What became of the known findings that were open and that this review did not find. */
export interface FollowedFindings {
  /** Still open, at their present place. */
  readonly carried: readonly KnownFinding[];
  readonly gone: readonly (KnownFinding & { readonly state: Exclude<FindingState, 'open'> })[];
}

/**
 * Follows open findings that were not found again. A rule that looked again and did not find it says that it is resolved. A
 * model does not find everything twice, so its findings stay until the lines that they are about change; those of an analyzer
 * do as well, until it reports again.
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

/** What was open, and what an analyzer spoke of before its lines changed and now no longer does. */
function isFollowed(known: KnownFinding, { reported }: FollowRequest): boolean {
  return known.state === 'open' || (known.state === 'outdated' && isReported(known, reported));
}

function isReported(known: KnownFinding, reported: readonly string[]): boolean {
  return isOfAnalyzer(known) && isRuleOf(reported, known.source.name);
}

/** Filtered out, or no longer text: nobody looks at it any more. */
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
  // Of too many results it may be one that was not taken.
  if (isReported(known, reported)) return coverage.reason === 'too_many_findings' ? here : 'resolved';
  if (isRule && !isOfAnalyzer(known)) return isShortfall(coverage) ? here : 'resolved';
  return place ?? 'outdated';
}
