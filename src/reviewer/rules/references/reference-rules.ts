import { correctness, maintainability, type RuleTable } from '../rule-facts.ts';
import { harm } from '../severity-table.ts';

/** The reason of `made-async` if all calls ignore the result. */
export const notAwaited =
  'It has become asynchronous, and calls that this change leaves as they were go on before it has ended; nobody sees it fail.';

/** The findings about references. They are only raised if references can be resolved. */
export const referenceRules = {
  removed: [
    harm.broken,
    correctness,
    'Something that is still used was removed',
    'Code that this change leaves as it was still uses it.',
  ],
  signature: [
    harm.broken,
    correctness,
    'Calls no longer fit the parameters',
    'Calls that this change leaves as they were pass other arguments.',
  ],
  'made-async': [
    harm.broken,
    correctness,
    'Callers do not wait for the result',
    'It has become asynchronous, and calls that this change leaves as they were use a promise as if it were the value.',
  ],
  'missing-file': [
    harm.broken,
    correctness,
    'A file that is still needed is gone',
    'Files that this change leaves as they were still import or name it.',
  ],
  'unknown-import': [
    harm.broken,
    correctness,
    'The import leads nowhere',
    'What it names does not exist in this repository, its manifests, or the runtime.',
  ],
  'call-mismatch': [
    harm.broken,
    correctness,
    'The call does not fit the parameters',
    'The function is part of this repository.',
  ],
  copied: [
    harm.repeated,
    maintainability,
    'The repository has this code already',
    'What is changed in one of them will be forgotten in the other.',
  ],
} as const satisfies RuleTable;

export type ReferenceRule = keyof typeof referenceRules;
