import { createHash } from 'node:crypto';
import { shownPath } from '../../redaction/shown-path.ts';
import type { ReviewConfiguration } from '../configuration/review-configuration.ts';
import type { Finding } from '../finding.ts';
import { type Severity, severities } from '../finding-vocabulary.ts';
import type { QuietFinding } from '../review-report.ts';
import { shareInterval } from './share-interval.ts';

/** The outcomes of a rule's findings in the organization, and its setting of the rule. */
export interface RuleRecord {
  readonly rule: string;
  readonly accepted: number;
  readonly rejected: number;
  /** The number of pull requests with these outcomes. */
  readonly pullRequests: number;
  readonly setting: RuleSetting;
}

export type RuleSetting = 'pinned' | 'off' | 'automatic';
export type RuleState = 'active' | 'quiet' | 'pinned' | 'off';
export type Attention = ReviewConfiguration['reviews']['attention'];

/** The outcomes in a single pull request say little about a rule. */
const minPullRequests = 3;
/** One in this many findings of a quiet rule is posted, so that the rule can become active again. */
const sampleOf = 10;

/** Whether a rule never becomes quiet, whatever its acceptance: credentials and known vulnerabilities are always posted. */
export function isNeverQuiet(rule: string): boolean {
  return rule.startsWith('secrets/') || rule === 'dependencies/vulnerable';
}

/** The state of a rule, by its record. */
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

/** Whether a finding is posted although its rule is quiet: one in ten, decided by a hash of its id. */
export function isSample(findingId: string): boolean {
  return createHash('sha256').update(findingId).digest().readUInt32BE() % sampleOf === 0;
}

/**
 * The findings that are not posted because every rule that raised them is quiet. Critical findings, samples, and those that
 * already have a comment are not among them.
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

/** The findings that count for status, checks and the limit of comments. */
export function withoutQuiet(
  findings: readonly Finding[],
  quiet: readonly QuietFinding[],
): readonly Finding[] {
  const silent = new Set(quiet.map(({ finding_id }) => finding_id));
  return findings.filter(({ identity }) => !silent.has(identity));
}

/** Whether a finding is reported even below the severity floor: a copy of existing code is worth knowing, but is not a fault. */
export function isReportedAnyway({ rules }: Pick<Finding, 'rules'>): boolean {
  return rules.includes('references/copied');
}

/** The findings below the floor that are reported but not posted; those that already have a comment are not among them. */
export function findBelowFloor(
  findings: readonly Pick<Finding, 'identity' | 'severity' | 'rules'>[],
  floor: Severity,
  posted: ReadonlySet<string> = new Set(),
): QuietFinding[] {
  const isBelow = (severity: Severity) => severities.indexOf(severity) > severities.indexOf(floor);
  return findings
    .filter(
      (finding) => isBelow(finding.severity) && isReportedAnyway(finding) && !posted.has(finding.identity),
    )
    .map(({ identity }) => ({ finding_id: identity, reason: 'below_floor' }));
}

const maxTold = 3;

/** Notes for a run about findings that are not posted. */
export function quietNotes(quiet: readonly QuietFinding[], findings: readonly Finding[]): string[] {
  const { rule_not_accepted: muted = [], below_floor: low = [] } = Object.groupBy(
    quiet,
    ({ reason }) => reason,
  );
  const notes: string[] = [];
  if (muted.length > 0) {
    const count = muted.length === 1 ? '1 finding is' : `${muted.length} findings are`;
    notes.push(`${count} not posted, because findings of their rules are seldom accepted here`);
  }
  const ids = new Set(low.map(({ finding_id }) => finding_id));
  const copies = findings
    .filter(({ identity }) => ids.has(identity))
    .flatMap(({ path, startLine, related: [original] }) =>
      original === undefined
        ? []
        : [`${shownPath(path)}:${startLine} duplicates ${shownPath(original.path)}:${original.startLine}`],
    );
  if (copies.length > 0) {
    const more = copies.length > maxTold ? [`and ${copies.length - maxTold} more`] : [];
    notes.push(
      `Code of the change exists in the repository already: ${[...copies.slice(0, maxTold), ...more].join(', ')}`,
    );
  }
  return notes;
}

/** The rules that are turned off. */
export function rulesOff(records: readonly RuleRecord[]): ReadonlySet<string> {
  return new Set(records.filter(({ setting }) => setting === 'off').map(({ rule }) => rule));
}

/** Whether all rules that raised a finding are turned off. */
export function isOff({ rules }: Pick<Finding, 'rules'>, off: ReadonlySet<string>): boolean {
  return rules.length > 0 && rules.every((rule) => off.has(rule));
}

/** The estimated acceptance, from 0 to 1, of the best of its rules; 0.5 if nothing is known. */
export function acceptanceOf({ rules }: Pick<Finding, 'rules'>, records: ReadonlyMap<string, RuleRecord>) {
  const shares = rules.map((rule) => {
    const { accepted = 0, rejected = 0 } = records.get(rule) ?? {};
    return (accepted + 1) / (accepted + rejected + 2);
  });
  return shares.length === 0 ? 0.5 : Math.max(...shares);
}
