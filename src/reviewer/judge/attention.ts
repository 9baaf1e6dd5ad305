import { createHash } from 'node:crypto';
import { shownPath } from '../../redaction/shown-path.ts';
import type { ReviewConfiguration } from '../configuration/review-configuration.ts';
import type { Finding } from '../finding.ts';
import { type Severity, severities } from '../finding-vocabulary.ts';
import type { QuietFinding } from '../review-report.ts';
import { shareInterval } from './share-interval.ts';

/** What became of the findings of a rule where a review is made, and what was decided about the rule there. */
export interface RuleRecord {
  readonly rule: string;
  readonly accepted: number;
  readonly rejected: number;
  /** From how many pull requests that is known. */
  readonly pullRequests: number;
  readonly setting: RuleSetting;
}

export type RuleSetting = 'pinned' | 'off' | 'automatic';
export type RuleState = 'active' | 'quiet' | 'pinned' | 'off';
export type Attention = ReviewConfiguration['reviews']['attention'];

/** What people of one pull request think of a rule says little about the rule. */
const minPullRequests = 3;
/** One in so many findings of a quiet rule is posted, so that it can come back. */
const sampleOf = 10;

/** Whatever people make of them: a credential or a known vulnerability is worth a look. */
export function isNeverQuiet(rule: string): boolean {
  return rule.startsWith('secrets/') || rule === 'dependencies/vulnerable';
}

/** How a rule stands by what is known of it. */
export function stateOf(record: RuleRecord, attention: Attention): RuleState {
  const { rule, setting, accepted, rejected, pullRequests } = record;
  if (setting !== 'automatic') return setting;
  const known = accepted + rejected;
  const isQuiet =
    attention.enabled &&
    known >= attention.min_outcomes &&
    pullRequests >= minPullRequests &&
    shareInterval(accepted, known).high < attention.mute_below;
  return isQuiet && !isNeverQuiet(rule) ? 'quiet' : 'active';
}

/** Whether a finding is posted although its rule is quiet: always the same one in ten. */
export function isSample(findingId: string): boolean {
  return createHash('sha256').update(findingId).digest().readUInt32BE() % sampleOf === 0;
}

/**
 * Those that are not worth a comment, because every rule that raised them is quiet. What is critical or has a comment already is
 * none of them.
 */
export function findQuiet(
  findings: readonly Pick<Finding, 'identity' | 'severity' | 'rules'>[],
  records: readonly RuleRecord[],
  attention: Attention,
  posted: ReadonlySet<string> = new Set(),
): QuietFinding[] {
  const quiet = new Set(
    records.filter((record) => stateOf(record, attention) === 'quiet').map(({ rule }) => rule),
  );
  return findings
    .filter(
      ({ identity, severity, rules }) =>
        rules.length > 0 &&
        rules.every((rule) => quiet.has(rule)) &&
        severity !== 'critical' &&
        !posted.has(identity) &&
        !isSample(identity),
    )
    .map(({ identity }) => ({ finding_id: identity, reason: 'rule_not_accepted' }));
}

/** What counts for status, checks and the number of comments. */
export function withoutQuiet(
  findings: readonly Finding[],
  quiet: readonly QuietFinding[],
): readonly Finding[] {
  const silent = new Set(quiet.map(({ finding_id }) => finding_id));
  return findings.filter(({ identity }) => !silent.has(identity));
}

/** What is told in the report although it is less severe than what is raised: a copy is worth knowing of, and no fault. */
export function isToldAnyway({ rules }: Pick<Finding, 'rules'>): boolean {
  return rules.includes('references/copied');
}

/** Those that are only told; what has a comment already is none of them. */
export function findBelowFloor(
  findings: readonly Pick<Finding, 'identity' | 'severity' | 'rules'>[],
  floor: Severity,
  posted: ReadonlySet<string> = new Set(),
): QuietFinding[] {
  const isBelow = (severity: Severity) => severities.indexOf(severity) > severities.indexOf(floor);
  return findings
    .filter((finding) => isBelow(finding.severity) && isToldAnyway(finding) && !posted.has(finding.identity))
    .map(({ identity }) => ({ finding_id: identity, reason: 'below_floor' }));
}

const maxTold = 3;

/** Says in a run that there is more than what is posted. */
export function quietNotes(quiet: readonly QuietFinding[], findings: readonly Finding[]): string[] {
  const { rule_not_accepted: muted = [], below_floor: low = [] } = Object.groupBy(
    quiet,
    ({ reason }) => reason,
  );
  const notes: string[] = [];
  if (muted.length > 0) {
    const count = muted.length === 1 ? '1 finding is' : `${muted.length} findings are`;
    notes.push(`${count} not posted, since what their rules raise is seldom accepted here`);
  }
  const ids = new Set(low.map(({ finding_id }) => finding_id));
  const copies = findings
    .filter(({ identity }) => ids.has(identity))
    .flatMap(({ path, startLine, related: [original] }) =>
      original === undefined
        ? []
        : [
            `${shownPath(path)}:${startLine} says the same as ${shownPath(original.path)}:${original.startLine}`,
          ],
    );
  if (copies.length > 0) {
    const more = copies.length > maxTold ? [`and ${copies.length - maxTold} more`] : [];
    notes.push(
      `The repository has code of the change already: ${[...copies.slice(0, maxTold), ...more].join(', ')}`,
    );
  }
  return notes;
}

/** The rules that are switched off. */
export function rulesOff(records: readonly RuleRecord[]): ReadonlySet<string> {
  return new Set(records.filter(({ setting }) => setting === 'off').map(({ rule }) => rule));
}

/** Whether nobody who raised a finding is still asked. */
export function isOff({ rules }: Pick<Finding, 'rules'>, off: ReadonlySet<string>): boolean {
  return rules.length > 0 && rules.every((rule) => off.has(rule));
}

/** How often the best of its rules was right here; half of the time where nothing is known. */
export function rightness({ rules }: Pick<Finding, 'rules'>, records: ReadonlyMap<string, RuleRecord>) {
  const shares = rules.map((rule) => {
    const { accepted = 0, rejected = 0 } = records.get(rule) ?? {};
    return (accepted + 1) / (accepted + rejected + 2);
  });
  return shares.length === 0 ? 0.5 : Math.max(...shares);
}
