import { correctness, maintainability, type RuleTable } from '../rule-facts.ts';
import { harm } from '../severity-table.ts';

/** The reason of `made-async` if all calls ignore the result. */
export const notAwaited =
  'The function is asynchronous now. Calls that this change does not update no longer wait for it to finish, and miss its errors.';

/** The same in Python, where a coroutine runs only when it is awaited. */
export const neverRun =
  'The function is a coroutine now. Calls that this change does not update no longer run it.';

/** The findings about references. They are only raised if references can be resolved. */
export const referenceRules = {
  removed: [
    harm.broken,
    correctness,
    'Removed or renamed, but still used',
    'Code that this change does not update still uses it.',
  ],
  signature: [
    harm.broken,
    correctness,
    'Calls no longer match the parameters',
    'Calls that this change does not update still pass the old arguments.',
  ],
  'made-async': [
    harm.broken,
    correctness,
    'Callers do not await a function that is now asynchronous',
    'Calls that this change does not update use the promise as if it were the value.',
  ],
  'missing-file': [
    harm.broken,
    correctness,
    'A file that is still referenced was deleted or moved',
    'Files that this change does not update still import or name it.',
  ],
  'unknown-import': [
    harm.broken,
    correctness,
    'Unresolved import',
    'The imported module, name or package exists neither in this repository and its manifests nor in the runtime.',
  ],
  'call-mismatch': [
    harm.broken,
    correctness,
    'The call does not match the parameters',
    'The function is defined in this repository.',
  ],
  copied: [
    harm.repeated,
    maintainability,
    'Duplicated code',
    'A later change to one copy is easily forgotten in the other.',
  ],
} as const satisfies RuleTable;

export type ReferenceRule = keyof typeof referenceRules;
