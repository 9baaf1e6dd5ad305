import type { AstGrepRule, Language } from '../ast-grep/read-rules.ts';

type Matcher = AstGrepRule['rule'];

interface PatternRule {
  readonly id: string;
  readonly severity: 'major' | 'minor';
  readonly title: string;
  readonly why: string;
  readonly rule: Matcher;
}

/** A template with something put in, or texts and something else added up. */
const composedScript: Matcher = {
  any: [
    { kind: 'template_string', has: { kind: 'template_substitution' } },
    {
      kind: 'binary_expression',
      all: [
        { has: { any: [{ kind: 'string' }, { kind: 'template_string' }], stopBy: 'end' } },
        {
          has: {
            any: [{ kind: 'identifier' }, { kind: 'member_expression' }, { kind: 'call_expression' }],
            stopBy: 'end',
          },
        },
      ],
    },
  ],
};

const firstArgument = (of: Matcher): Matcher => ({
  has: { field: 'arguments', kind: 'arguments', has: { nthChild: 1, ...of } },
});
const called = (name: string): Matcher => ({ has: { field: 'function', regex: name } });

/** A value of the query, rather than the name of a table: something stands before it that compares or lists values. */
const sqlStart =
  '(?is)^[brfuBRFU]*["\'`]+\\s*(?:select|insert\\s+into|update|delete\\s+from|replace\\s+into)\\b';
const valueBefore = '(?:=|<|>|\\blike\\b|\\bin\\b|\\bvalues\\b)\\s*\\(?\\s*[\'"%]*';

const nextToSql = (composed: string): Matcher => ({ all: [{ regex: sqlStart }, { regex: composed }] });

const sqlFacts = {
  id: 'sql-injection',
  severity: 'major',
  title: 'A value is put into the text of a query',
  why: 'Whoever chooses the value can change the query. Pass it as a parameter.',
} as const;

const scriptRules: readonly PatternRule[] = [
  {
    id: 'shell-injection',
    severity: 'major',
    title: 'A value is put into a shell command',
    why: 'Whoever chooses the value can run other commands. Use `execFile` or `spawn` with a list of arguments.',
    rule: {
      kind: 'call_expression',
      all: [
        { any: [called('^exec(?:Sync)?$'), called('^(?:child_process|childProcess|cp)\\.exec(?:Sync)?$')] },
        firstArgument(composedScript),
        {
          inside: {
            kind: 'program',
            stopBy: 'end',
            has: { kind: 'string', regex: '^["\'](?:node:)?child_process["\']$', stopBy: 'end' },
          },
        },
      ],
    },
  },
  {
    id: 'html-injection',
    severity: 'minor',
    title: 'A value is put into HTML as it is',
    why: 'If it comes from somebody else, they can run scripts in the page. Use `textContent`, or escape it.',
    rule: {
      kind: 'assignment_expression',
      all: [
        { has: { field: 'left', regex: '\\.(?:innerHTML|outerHTML)$' } },
        {
          has: {
            field: 'right',
            ...composedScript,
            not: { regex: '(?i)sanit|purif|escape|encode|trusted|html`' },
          },
        },
      ],
    },
  },
  {
    id: 'code-from-text',
    severity: 'minor',
    title: 'Text is run as code',
    why: 'Whoever chooses the text can run anything here.',
    rule: {
      any: [
        {
          kind: 'new_expression',
          all: [
            { has: { field: 'constructor', regex: '^Function$' } },
            {
              has: {
                field: 'arguments',
                has: { nthChild: { position: 1, reverse: true }, not: { kind: 'string' } },
              },
            },
          ],
        },
        {
          kind: 'call_expression',
          all: [called('^eval$'), firstArgument({ not: { kind: 'string' } })],
        },
      ],
    },
  },
  {
    ...sqlFacts,
    rule: {
      kind: 'call_expression',
      all: [
        called('\\.(?:query|execute|raw|exec|prepare|\\$queryRawUnsafe|\\$executeRawUnsafe)$'),
        firstArgument({
          any: [
            { kind: 'template_string', ...nextToSql(`(?i)${valueBefore}\\$\\{`) },
            { kind: 'binary_expression', ...nextToSql(`(?i)${valueBefore}["'\`]\\s*\\+`) },
          ],
        }),
      ],
    },
  },
];

const pythonRules: readonly PatternRule[] = [
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
                  all: [{ regex: '^[rR]?[fF]' }, ...sqlValue(`(?i)${valueBefore}\\{`)],
                },
                {
                  kind: 'binary_operator',
                  all: sqlValue(`(?i)${valueBefore}(?:["']+\\s*\\+|%[sd].*["']+\\s*%\\s)`),
                },
                {
                  kind: 'call',
                  all: [called('\\.format$'), ...sqlValue(`(?i)${valueBefore}\\{`)],
                },
              ],
            },
          },
        },
      ],
    },
  },
];

function sqlValue(composed: string): Matcher[] {
  return [{ regex: sqlStart }, { regex: composed }];
}

function inLanguage(language: Language, rules: readonly PatternRule[]): AstGrepRule[] {
  return rules.map(({ id, severity, title, why, rule }) => ({
    id,
    language,
    rule,
    message: title,
    note: why,
    severity: 'warning',
    files: [],
    ignores: [],
    metadata: { severity, category: 'security_and_privacy' },
  }));
}

/** Postil's own rules by syntax, for what no linter here looks for. */
export const patternRules: readonly AstGrepRule[] = [
  ...inLanguage('javascript', scriptRules),
  ...inLanguage('typescript', scriptRules),
  ...inLanguage('tsx', scriptRules),
  ...inLanguage('python', pythonRules),
];
