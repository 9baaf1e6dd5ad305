import { harm } from '../severity-table.ts';
import { called, type Matcher, type PatternRule, sqlFacts, sqlWith } from './pattern-rule.ts';

/** A template literal with a substitution, or a concatenation of strings and other values. */
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

/** Signs that a value was sanitized. */
const cleanedMarkup: Matcher = { regex: '(?i)sanit|purif|escape|encode|trusted|html`' };

const firstArgument = (of: Matcher): Matcher => ({
  has: { field: 'arguments', kind: 'arguments', has: { nthChild: 1, ...of } },
});
/** Rules for JavaScript and TypeScript. */
export const scriptRules: readonly PatternRule[] = [
  {
    id: 'shell-injection',
    severity: harm.unprotected,
    cwe: 'CWE-78',
    title: 'A value is inserted into a shell command',
    why: 'Whoever controls the value can run other commands. Use `execFile` or `spawn` with a list of arguments.',
    needs: /child_process/,
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
    severity: harm.exposed,
    cwe: 'CWE-79',
    title: 'A value is put into HTML without escaping',
    why: 'If it comes from somebody else, they can run scripts in the page (cross-site scripting). Use `textContent`, or escape it.',
    needs: /\.(?:inner|outer)HTML\b|(?:\$|jQuery)\(/,
    rule: {
      any: [
        {
          kind: 'assignment_expression',
          all: [
            { has: { field: 'left', regex: '\\.(?:innerHTML|outerHTML)$' } },
            { has: { field: 'right', ...composedScript, not: cleanedMarkup } },
          ],
        },
        {
          kind: 'call_expression',
          all: [
            called('^(?:\\$|jQuery)$'),
            firstArgument({ ...composedScript, regex: '^["\'`]\\s*<', not: cleanedMarkup }),
          ],
        },
      ],
    },
  },
  {
    id: 'markup-from-option',
    severity: harm.exposed,
    cwe: 'CWE-79',
    title: 'A plugin option may be interpreted as HTML',
    why: 'jQuery creates elements from a string that contains tags, and such options often come from attributes of the page. Use `$(document).find(…)`, which only searches for elements.',
    needs: /(?:\$|jQuery)\.fn\./,
    rule: {
      kind: 'call_expression',
      all: [
        called('^(?:\\$|jQuery)$|\\.(?:appendTo|prependTo|insertAfter|insertBefore)$'),
        firstArgument({ regex: '\\b(?:options|settings)\\.\\w+' }),
        firstArgument({ not: { kind: 'call_expression' } }),
        {
          inside: {
            kind: 'program',
            stopBy: 'end',
            has: {
              kind: 'assignment_expression',
              has: { field: 'left', regex: '^(?:\\$|jQuery)\\.fn\\.\\w+$' },
              stopBy: 'end',
            },
          },
        },
      ],
    },
  },
  {
    id: 'buffer-of-anything',
    severity: harm.exposed,
    cwe: 'CWE-665',
    title: '`new Buffer` with a value of unknown type',
    why: 'If the value is a number, the buffer can be uninitialized memory of that size, with data of other parts of the program. Use `Buffer.from` or `Buffer.alloc`.',
    needs: /\bnew Buffer\(/,
    rule: {
      pattern: 'new Buffer($VALUE)',
      has: {
        field: 'arguments',
        has: {
          any: [{ kind: 'identifier' }, { kind: 'member_expression' }, { kind: 'subscript_expression' }],
        },
      },
    },
  },
  {
    id: 'code-from-text',
    severity: harm.unprotected,
    cwe: 'CWE-95',
    title: 'A string is executed as code',
    why: 'Whoever controls the string can run any code here.',
    needs: /\b(?:Function|eval)\b/,
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
            { kind: 'template_string', all: sqlWith('\\$\\{') },
            { kind: 'binary_expression', all: sqlWith('["\'`]\\s*\\+') },
          ],
        }),
      ],
    },
  },
];
