import {
  type Category,
  categories,
  type Severity,
  severities,
} from '../../../reviewer/finding-vocabulary.ts';
import { entryClasses } from '../order/day-spans.ts';
import { classOf, type ReviewRecord } from '../record/pull-request-record.ts';

/** What comments are counted by: all of them together, each severity, each category. */
type CountGroup = 'all' | Severity | Category;

const groups: readonly CountGroup[] = ['all', ...severities, ...categories];
const outcomes = ['posted', 'accepted', 'not_accepted'] as const;

/** Comments by outcome; those that are neither accepted nor not accepted have no known outcome. */
export type CountedOutcomes = Record<(typeof outcomes)[number], number>;

/** The columns of the counts, in the order of the numbers in `CommentCounts`. */
export const countColumns: readonly string[] = groups.flatMap((group) =>
  outcomes.map((outcome) => (group === 'all' ? outcome : `${group}_${outcome}`)),
);

/** The columns of all comments together, whatever their severity and category. */
export const totalColumns = countColumns.slice(0, outcomes.length);

const firstColumn = new Map(groups.map((group, index) => [group, index * outcomes.length]));

/** How many comments there are, one number per column. */
export type CommentCounts = number[];

export function noComments(): CommentCounts {
  return new Array<number>(countColumns.length).fill(0);
}

/** The condition, on a comment with severity, category and outcome, that each column counts. */
export const countConditions: readonly string[] = groups.flatMap((group) => {
  const column = severities.some((severity) => severity === group) ? 'severity' : 'category';
  const isInGroup = group === 'all' ? 'true' : `c.${column} = '${group}'`;
  return [isInGroup, `${isInGroup} AND c.accepted`, `${isInGroup} AND NOT c.accepted`];
});

/** Whether the overview counts the comments of the record: its pull request is merged and has some. */
export function isCounted(record: ReviewRecord): boolean {
  return classOf(record) === entryClasses.mergedWithComments;
}

/** Adds the comments of a record to the counts, or subtracts them with −1. */
export function addComments(counts: CommentCounts, { findings, verdicts }: ReviewRecord, sign: 1 | -1): void {
  for (const { id, severity, category } of findings) {
    const accepted = verdicts.get(id)?.accepted ?? null;
    for (const group of ['all', severity, category] as const) {
      if (group === null) continue;
      const first = firstColumn.get(group)!;
      counts[first]! += sign;
      if (accepted !== null) counts[first + (accepted ? 1 : 2)]! += sign;
    }
  }
}

/** The outcomes of one group, from a row with the count columns. */
export function outcomesOf(row: Readonly<Record<string, number>>, group: CountGroup): CountedOutcomes {
  const first = firstColumn.get(group)!;
  const [posted, accepted, not_accepted] = outcomes.map((_, index) => row[countColumns[first + index]!]!);
  return { posted: posted!, accepted: accepted!, not_accepted: not_accepted! };
}
