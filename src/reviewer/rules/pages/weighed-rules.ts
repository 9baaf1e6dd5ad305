/** A rule of a linter, whether it is used, how often it was right and wrong on known cases, and why it is used or not. */
export type WeighedRule = readonly [rule: string, isUsed: boolean, right: number, wrong: number, why: string];

/**
 * Rules of Ruff and oxlint about security, and others with results on sets of known bugs. Only cases with even numbers were used.
 * Ruff ran on OWASP BenchmarkPython, where a report on a harmless case is wrong. oxlint ran by itself on SecBench.js, where a
 * report more than three lines from the vulnerability is wrong.
 */
export const weighedRules: readonly WeighedRule[] = [
  [
    'ruff/S102',
    false,
    7,
    9,
    'Code from values: `dataflow/code-injection` tells 8 of 9, and none of the 22 harmless ones.',
  ],
  [
    'ruff/S110',
    true,
    0,
    0,
    'No case. Only a bare `except`, which hides mistakes; to swallow a named exception is a decision.',
  ],
  [
    'ruff/S301',
    false,
    6,
    6,
    '`dataflow/deserialization` tells 7 of 9 of both forms, and none of the 20 harmless ones.',
  ],
  ['ruff/S307', false, 2, 13, '`dataflow/code-injection` tells both and none of the harmless ones.'],
  ['ruff/S311', true, 32, 0, 'Where the lines around speak of secrets.'],
  ['ruff/S314', false, 4, 23, 'The right ones are about something else.'],
  ['ruff/S317', false, 1, 13, 'Every parser of XML is named, whatever it reads.'],
  ['ruff/S318', false, 1, 13, 'Every parser of XML is named, whatever it reads.'],
  ['ruff/S324', true, 37, 0, 'Not where `usedforsecurity=False` says that it protects nothing.'],
  ['ruff/S501', true, 0, 0, 'No case. Guides agree, and it says what is there: a check that is turned off.'],
  [
    'ruff/S506',
    false,
    3,
    4,
    '`dataflow/deserialization` tells what a request brings; files of the program itself are harmless.',
  ],
  ['ruff/S602', false, 3, 1, '`dataflow/command-injection` tells 6 of 7 and none of the harmless ones.'],
  ['ruff/S603', false, 4, 2, 'Every start of a program is named; that is no fault.'],
  ['ruff/S605', false, 0, 0, 'As S602, of which it is the other form.'],
  ['ruff/S608', false, 6, 2, '`dataflow/sql-injection` tells 6 of 6, and none of the 12 harmless ones.'],
  [
    'ruff/PLW1510',
    false,
    7,
    3,
    'It is about an exit status that nobody asks for; that it stands beside holes is chance.',
  ],
  ['oxlint/guard-for-in', false, 3, 229, 'Taste.'],
  [
    'oxlint/no-cond-assign',
    true,
    1,
    54,
    'Silent since on loops and on what a call gives, which all that were read were; what is left is a slip of the pen.',
  ],
  ['oxlint/no-control-regex', false, 0, 12, 'Terminals are full of them.'],
  [
    'oxlint/no-eval',
    true,
    6,
    14,
    'Minor; where a value is followed, one comment with `dataflow/code-injection`.',
  ],
  ['oxlint/no-extend-native', false, 0, 71, 'A decision, not a fault.'],
  ['oxlint/no-implied-eval', true, 0, 0, 'No case. As `no-eval`.'],
  [
    'oxlint/no-new-func',
    false,
    2,
    22,
    '`patterns/code-from-text` and `dataflow/code-injection` tell those that are made of values.',
  ],
  ['oxlint/no-path-concat', false, 0, 65, 'Works wherever the program runs.'],
  ['oxlint/no-proto', false, 0, 11, 'Who names it mostly guards against it.'],
  ['oxlint/no-prototype-builtins', false, 3, 179, 'Taste.'],
  ['oxlint/no-script-url', false, 0, 1, '`jsx-no-script-url` is used where a page is written.'],
  [
    'oxlint/no-self-compare',
    true,
    0,
    125,
    'Silent since on `a !== a`, which asks for NaN; what is left is a slip of the pen.',
  ],
  [
    'oxlint/no-unused-vars',
    true,
    29,
    866,
    'Leftovers, not holes: that it stands beside holes is chance. The authors of these packages used no linter; in kept repositories it says little.',
  ],
  ['oxlint/no-useless-escape', false, 12, 447, 'Taste; it stands beside slow expressions by chance.'],
];
