import type { CaseLabels, EvaluationCase } from '../../reviewer/evaluation/dataset.ts';
import type { CaseResult } from './results-file.ts';

/** The number of good results among a number of cases. */
export interface Tally {
  readonly good: number;
  readonly of: number;
}

/**
 * The results of cases by kind: in changes with a fault, whether it was found; in changes without one, whether nothing was
 * raised.
 */
export interface Breakdown {
  readonly found: Tally;
  /** By whether the fault can be found through imports, packages and scopes alone; empty if the data set does not say. */
  readonly by_resolvable: Readonly<Record<string, Tally>>;
  readonly by_language: Readonly<Record<string, Tally>>;
  readonly by_rule: Readonly<Record<string, Tally>>;
  readonly silent: Tally;
  /** The number of findings in changes without a fault, by rule. */
  readonly said: Readonly<Record<string, number>>;
}

type Evaluated = Exclude<CaseResult, { readonly error: string }> & { readonly labels: CaseLabels };

/** Breaks down the results; undefined for a data set whose cases have no kind. */
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
    `found      ${inWords(broken.found)} at the right place`,
    ...rows('           ', broken.by_resolvable),
    ...rows('           ', broken.by_language),
    ...rows('           ', broken.by_rule),
    `silent     ${inWords(broken.silent)} where nothing is wrong${said.length === 0 ? '' : `; raised: ${said.join(', ')}`}`,
  ];
}
