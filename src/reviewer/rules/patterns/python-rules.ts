import { called, type PatternRule, sqlFacts, sqlWith } from './pattern-rule.ts';

export const pythonRules: readonly PatternRule[] = [
  {
    ...sqlFacts,
    rule: {
      kind: 'call',
      all: [
        called('\\.(?:execute|executemany|raw)$'),
        {
          has: {
            field: 'arguments',
            has: {
              nthChild: 1,
              any: [
                {
                  kind: 'string',
                  all: [{ regex: '^[rR]?[fF]' }, ...sqlWith('\\{')],
                },
                {
                  kind: 'binary_operator',
                  all: sqlWith('(?:["\']+\\s*\\+|%[sd].*["\']+\\s*%\\s)'),
                },
                {
                  kind: 'call',
                  all: [called('\\.format$'), ...sqlWith('\\{')],
                },
              ],
            },
          },
        },
      ],
    },
  },
];
