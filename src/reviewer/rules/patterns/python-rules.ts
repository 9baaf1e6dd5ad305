import { harm } from '../severity-table.ts';
import { called, type PatternRule, sqlFacts, sqlWith } from './pattern-rule.ts';

export const pythonRules: readonly PatternRule[] = [
  {
    id: 'cookie-without-secure',
    severity: harm.exposed,
    cwe: 'CWE-614',
    title: 'Cookie without the `Secure` attribute',
    why: 'It is also sent over unencrypted connections, where others can read it. Set `secure=True`.',
    needs: /set_cookie/,
    rule: {
      kind: 'call',
      all: [
        called('\\.set_cookie$'),
        {
          has: {
            field: 'arguments',
            has: { kind: 'keyword_argument', regex: '^secure\\s*=\\s*False$' },
          },
        },
      ],
    },
  },
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
