import type { CaseLabels, EvaluationCase } from '../../reviewer/evaluation/dataset.ts';
import type { CaseResult } from './results-file.ts';

/** Of so many cases, in how many it went as it should. */
export interface Tally {
  readonly good: number;
  readonly of: number;
}

/** How cases of a known kind went, one by one: a fault was found at its place, or a change in which nothing is wrong left in peace. */
export interface Breakdown {
  readonly found: Tally;
  /** By whether imports, packages and scopes alone lead to the fault; empty where the data set does not say. */
  readonly by_resolvable: Readonly<Record<string, Tally>>;
  readonly by_language: Readonly<Record<string, Tally>>;
  readonly by_rule: Readonly<Record<string, Tally>>;
  readonly silent: Tally;
  /** What was said where nothing is wrong, by rule. */
  readonly said: Readonly<Record<string, number>>;
}

type Evaluated = Exclude<CaseResult, { readonly error: string }> & { readonly labels: CaseLabels };

/** Undefined for a data set whose cases do not say what they are. */
export function breakDown(
  results: readonly CaseResult[],
  cases: readonly EvaluationCase[],
): Breakdown | undefined {
  const labels = new Map(cases.map((each) => [each.name, each.labels]));
  const known = results.flatMap((result): Evaluated[] => {
    const given = labels.get(result.name);
    return 'error' in result || given?.kind === undefined ? [] : [{ ...result, labels: given }];
  });
  if (known.length === 0) return undefined;
  const faulty = known.filter(({ golden }) => golden > 0);
  const fine = known.filter(({ golden }) => golden === 0);
  const isFound = ({ matched }: Evaluated) => matched > 0;
  const by = (name: (given: CaseLabels) => string | undefined) => {
    const groups = Object.groupBy(faulty, ({ labels: given }) => name(given) ?? '');
    const tallies = Object.entries(groups).map(([key, same]) => [key, tallyOf(same!, isFound)] as const);
    return Object.fromEntries(tallies.filter(([key]) => key !== '').sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const said: Record<string, number> = {};
  for (const { rules } of fine)
    for (const [rule, count] of Object.entries(rules)) said[rule] = (said[rule] ?? 0) + count;
  return {
    found: tallyOf(faulty, isFound),
    by_resolvable: by(({ resolvable }) =>
      resolvable === undefined ? undefined : resolvable ? 'resolvable' : 'unresolvable',
    ),
    by_language: by(({ language }) => language),
    by_rule: by(({ rule }) => rule),
    silent: tallyOf(fine, ({ raised }) => raised === 0),
    said,
  };
}

function tallyOf(cases: readonly Evaluated[], isGood: (each: Evaluated) => boolean): Tally {
  return { good: cases.filter(isGood).length, of: cases.length };
}

const inWords = ({ good, of }: Tally) =>
  of === 0 ? 'none' : `${good} of ${of} (${((100 * good) / of).toFixed(1)} %)`;

export function formatBreakdown(broken: Breakdown): string[] {
  const rows = (title: string, tallies: Readonly<Record<string, Tally>>) =>
    Object.entries(tallies).map(([name, tally]) => `${title}${name}  ${inWords(tally)}`);
  const said = Object.entries(broken.said).map(([rule, count]) => `${count} ${rule}`);
  return [
    `found      ${inWords(broken.found)} at the place`,
    ...rows('           ', broken.by_resolvable),
    ...rows('           ', broken.by_language),
    ...rows('           ', broken.by_rule),
    `silent     ${inWords(broken.silent)} where nothing is wrong${said.length === 0 ? '' : `; said: ${said.join(', ')}`}`,
  ];
}
