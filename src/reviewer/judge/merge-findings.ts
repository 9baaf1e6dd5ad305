import type { Finding } from '../finding.ts';
import { severities } from '../finding-vocabulary.ts';
import { areEqual, rankOf } from './equal-rules.ts';

/** The identities of findings that a pull request already had, and those of them that people dismissed. */
export interface Seen {
  readonly known: ReadonlySet<string>;
  readonly dismissed: ReadonlySet<string>;
}

export const nothingSeen: Seen = { known: new Set(), dismissed: new Set() };

/**
 * Merges findings of several rules about one fault: on overlapping lines, with the same CWE or of equal rules. The result has
 * the identity and place of the first rule, the worst severity and all rules. A known finding takes precedence over all rules
 * and is never merged into another, because it has its own comment. The order of the input does not matter.
 */
export function mergeFindings(found: readonly Finding[], { known, dismissed }: Seen): readonly Finding[] {
  const groups = new Map<Finding, Finding[]>();
  for (const file of Map.groupBy(found, ({ path, side }) => `${side}\0${path}`).values()) {
    const firsts: Finding[] = [];
    for (const finding of file.toSorted((a, b) => firstRuleFirst(a, b, known))) {
      const first = known.has(finding.identity)
        ? undefined
        : firsts.find(
            (one) =>
              isSameFault(groups.get(one)!, finding) &&
              // Dismissing a finding does not dismiss a worse one.
              !(dismissed.has(one.identity) && isWorse(finding, one)),
          );
      if (first === undefined) {
        firsts.push(finding);
        groups.set(finding, [finding]);
      } else groups.get(first)!.push(finding);
    }
  }
  return found.flatMap((finding) => {
    const members = groups.get(finding);
    return members === undefined ? [] : [members.length === 1 ? finding : mergeOne(members)];
  });
}

function firstRuleFirst(a: Finding, b: Finding, known: ReadonlySet<string>): number {
  return (
    Number(known.has(b.identity)) - Number(known.has(a.identity)) ||
    rankOf(a.rules[0]) - rankOf(b.rules[0]) ||
    (a.startLine ?? 0) - (b.startLine ?? 0) ||
    inOrder(a.rules[0] ?? '', b.rules[0] ?? '') ||
    inOrder(a.identity, b.identity)
  );
}

function isWorse(a: Finding, b: Finding): boolean {
  return severities.indexOf(a.severity) < severities.indexOf(b.severity);
}

const inOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The fields by which faults are distinguished. */
export type Fault = Pick<Finding, 'startLine' | 'endLine' | 'cwe' | 'rules' | 'confidence'>;

/**
 * Two findings of one rule are two faults, even on the same line, unless one is our own and the other is in the log of the
 * same linter. Faults on different lines are not merged by a finding that spans them.
 */
export function isSameFault(group: readonly Fault[], finding: Fault): boolean {
  if (!group.every((one) => isOverlapping(one, finding))) return false;
  const isOfSameMaker = ({ confidence }: Fault) => confidence === finding.confidence;
  if (group.some((one) => isOfSameMaker(one) && one.rules.some((rule) => finding.rules.includes(rule))))
    return false;
  return group.some(
    ({ cwe, rules }) => (cwe !== null && cwe === finding.cwe) || areEqual(rules, finding.rules),
  );
}

function isOverlapping(a: Fault, b: Fault): boolean {
  if (a.startLine === null || a.endLine === null || b.startLine === null || b.endLine === null) return false;
  return a.startLine <= b.endLine && b.startLine <= a.endLine;
}

/** The text of the worst finding at the place of the first. */
function mergeOne(members: readonly Finding[]): Finding {
  const first = members[0]!;
  const worst = members.reduce((one, other) => (isWorse(other, one) ? other : one));
  const isProven = members.some(({ confidence }) => confidence === 'proven');
  // A program may apply the suggestion of a proven finding, so it must not come from an unproven one.
  const fitting = [worst, ...members].find(
    ({ suggestion, startLine, endLine, confidence }) =>
      suggestion !== null &&
      startLine === first.startLine &&
      endLine === first.endLine &&
      (confidence === 'proven' || !isProven),
  );
  return {
    ...first,
    severity: worst.severity,
    category: worst.category,
    title: worst.title,
    body: worst.body,
    suggestion: fitting?.suggestion ?? null,
    related: [worst, ...members].find(({ related }) => related.length > 0)?.related ?? [],
    confidence: isProven ? 'proven' : 'likely',
    cwe: members.find(({ cwe }) => cwe !== null)?.cwe ?? null,
    rules: members.flatMap(({ rules }) => rules),
    learningIds: [...new Set(members.flatMap(({ learningIds }) => learningIds))],
  };
}
