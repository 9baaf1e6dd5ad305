import { correctness, maintainability, type RuleTable } from '../rule-facts.ts';
import { harm } from '../severity-table.ts';

/** The consequence of `made-async` if all calls ignore the result. */
export const notAwaited = 'The code there goes on before it has finished, and misses its errors.';

/** The same in Python, where a coroutine runs only when it is awaited. */
export const neverRun = 'Without that, it does not run at all.';

/** The consequence of `removed` for a package. */
export const notInstalled = 'The imports fail wherever nothing else installs the package.';

/** The findings about references. They are only raised if references can be resolved. */
export const referenceRules = {
  removed: [
    harm.broken,
    correctness,
    'Removed or renamed, but still used',
    'The code there fails when it is built or runs.',
  ],
  signature: [
    harm.broken,
    correctness,
    'Calls no longer match the parameters',
    'Such a call fails, or values do not arrive where they are meant to.',
  ],
  'made-async': [
    harm.broken,
    correctness,
    'Callers do not await a function that is now asynchronous',
    'The code there works with the promise instead of its value.',
  ],
  'missing-file': [
    harm.broken,
    correctness,
    'A file that is still referenced was deleted or moved',
    'Whatever needs the file fails when it is built or runs.',
  ],
  'unknown-import': [
    harm.broken,
    correctness,
    'Unresolved import',
    'The import fails when the code is built or loaded.',
  ],
  'call-mismatch': [
    harm.broken,
    correctness,
    'The call does not match the parameters',
    'Such a call fails, or values do not arrive where they are meant to.',
  ],
  copied: [
    harm.repeated,
    maintainability,
    'Duplicated code',
    'A later change to one copy is easily forgotten in the other.',
  ],
} as const satisfies RuleTable;

export type ReferenceRule = keyof typeof referenceRules;
