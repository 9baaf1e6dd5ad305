import type { Finding } from '../finding.ts';
import { severities } from '../finding-vocabulary.ts';
import { areEqual, rankOf } from './equal-rules.ts';

/** Identities that a pull request has seen, and those of them that people have dismissed. */
export interface Seen {
  readonly known: ReadonlySet<string>;
  readonly dismissed: ReadonlySet<string>;
}

export const nothingSeen: Seen = { known: new Set(), dismissed: new Set() };

/**
 * Makes one finding of those that several rules raised about one fault: on overlapping lines, with the same weakness or by
 * rules that are equal. It is the finding of the first rule, which keeps its identity and place whoever joins it, with the
 * worst severity and all rules. What is known comes before all rules and never joins another: it has a comment of its own.
 * The order in which findings are given does not matter.
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
              // Who dismissed it has not said anything about something worse.
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

/** What tells one fault from another. */
export type Fault = Pick<Finding, 'startLine' | 'endLine' | 'cwe' | 'rules' | 'confidence'>;

/**
 * Two findings of one rule are two faults, also on one line, unless one is ours and the other stands in the log of the same
 * linter. A finding about many lines does not make one of faults on different lines among them.
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

/** What the worst says, where the first stands. */
function mergeOne(members: readonly Finding[]): Finding {
  const first = members[0]!;
  const worst = members.reduce((one, other) => (isWorse(other, one) ? other : one));
  const isProven = members.some(({ confidence }) => confidence === 'proven');
  // What is proven may be applied by a program, so that nobody who only joins it may say what is written.
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
