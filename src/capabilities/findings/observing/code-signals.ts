import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import type { Hunk } from '../../../reviewer/change/change.ts';
import type { Evidence, Signal, SignalName, SignalSource } from '../signals/signal.ts';
import { distanceTo, nearLines } from '../tracking/map-range.ts';
import { addedLines, removedLines } from '../tracking/meaningful-hunks.ts';
import { changedNames } from '../tracking/named-change.ts';
import { type Landing, suggestionLanded } from '../tracking/suggestion-landed.ts';
import { suppressionIn } from '../tracking/suppression.ts';
import type { Tracking } from '../tracking/track-finding.ts';
import { type FollowedFinding, linesOf } from './followed-finding.ts';

/** What was observed about a finding in one version of its pull request. */
export interface Observation {
  readonly head: string;
  readonly at: Date;
  /** Whether this version was merged. */
  readonly isMerged: boolean;
  readonly tracking: Tracking;
  /** The file in this version; undefined if it is missing or not text. */
  readonly text: readonly string[] | undefined;
  /** The changes of its file, including those of the layout. */
  readonly changes: readonly Hunk[];
  /** How often lines like those of the finding change anyway, commented on or not; null if unknown. */
  readonly chance: number | null;
  /** The lines that were added anywhere in the change since. */
  readonly added: readonly (readonly string[])[];
  /** Whether the rule or model that raised it still does in this version; null if it did not review it. */
  readonly detector: {
    readonly kind: 'rule' | 'model';
    readonly name: string;
    readonly stillRaises: boolean;
  } | null;
  /** The commit by which the host applied the suggestion; null if there is none. */
  readonly appliedBy: string | null;
}

const maxHunks = 5;
const maxLines = 20;
const maxLineLength = 200;

/** The signals that one version gives about a finding. Each names the version, and is valid for that version only. */
export function codeSignals(finding: FollowedFinding, seen: Observation): Signal[] {
  const { tracking, head, at } = seen;
  const signal = (name: SignalName, source: SignalSource, evidence: Evidence): Signal => ({
    signal: name,
    source,
    at,
    actor: null,
    evidence: { head, posted: finding.revision, path: tracking.path ?? finding.path, ...evidence },
  });
  const found: Signal[] = [];
  const isGone = seen.detector?.stillRaises === false;
  const near = nearHunks(finding, tracking);
  const changes = {
    lines: tracking.range && [tracking.range.start, tracking.range.end],
    changes: near.slice(0, maxHunks).map(showHunk),
  };
  const commentOf = finding.isOfPerson ? 'person' : 'program';
  const isNear = tracking.state === 'touched' || tracking.state === 'near';
  const silencing = isNear ? suppressionIn(near, tracking.path ?? finding.path) : undefined;
  if (silencing !== undefined)
    found.push(signal('dismissed', 'git', { ...changes, comment: show(silencing) }));
  else if (tracking.state === 'touched')
    found.push(
      signal('lines_changed', 'git', {
        ...changes,
        still_raised: seen.detector?.stillRaises ?? null,
        chance: seen.chance,
        comment_of: commentOf,
        only_asks: finding.onlyAsks,
      }),
    );
  if (isNear && silencing === undefined) {
    const names = finding.range === null ? [] : changedNames(finding.names, finding.range, tracking.hunks);
    if (names.length > 0) found.push(signal('named_change', 'git', { ...changes, names }));
  }
  const landing = silencing === undefined ? landingOf(finding, seen) : null;
  if (landing !== null) found.push(signal('suggestion_landed', 'git', { ...changes, ...landing }));
  if (landing !== null && landing.form === 'block' && seen.appliedBy !== null)
    found.push(signal('suggestion_applied', 'host', { ...changes, commit: seen.appliedBy }));
  if (isGone && silencing === undefined)
    found.push(signal('finding_gone', seen.detector!.kind, { by: seen.detector!.name }));
  // If a rule no longer raises a finding in unchanged code, it was fixed elsewhere; a model may just have overlooked it.
  const isFixedElsewhere = isGone && seen.detector?.kind === 'rule';
  if (seen.isMerged && tracking.state === 'untouched' && !isFixedElsewhere && landing === null)
    found.push(
      signal('merged_untouched', 'git', {
        lines: changes.lines,
        file_changed: tracking.hunks.length > 0,
        comment_of: commentOf,
      }),
    );
  return found;
}

function nearHunks({ range }: FollowedFinding, { hunks }: Tracking): Hunk[] {
  return range === null ? [] : hunks.filter((hunk) => distanceTo(range, hunk) <= nearLines);
}

function landingOf(
  finding: FollowedFinding,
  { tracking, text, changes, added }: Observation,
): Landing | null {
  const { suggestions, anchor, range, path } = finding;
  if (suggestions.length === 0 || anchor === null || range === null || finding.side === 'old') return null;
  if (text === undefined || tracking.range === null) return null;
  const start = range.start - anchor.firstLine + 1;
  return suggestionLanded(suggestions, {
    path: tracking.path ?? path,
    before: { lines: anchor.lines, range: { start, end: start + linesOf(finding).length - 1 } },
    now: { lines: text, range: tracking.range },
    hunks: changes,
    range,
    elsewhere: added,
    isMoved: tracking.state === 'relocated',
  });
}

/** Evidence is stored forever and shown to people, so it contains no secrets, and only what is needed to look it up. */
function showHunk(hunk: Hunk) {
  return {
    old_line: hunk.oldStart,
    new_line: hunk.newStart,
    removed: removedLines(hunk).slice(0, maxLines).map(show),
    added: addedLines(hunk).slice(0, maxLines).map(show),
  };
}

function show(line: string): string {
  return redactCredentials(line).slice(0, maxLineLength);
}
