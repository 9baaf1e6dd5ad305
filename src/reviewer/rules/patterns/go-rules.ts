import { correctness, stability } from '../rule-facts.ts';
import { harm } from '../severity-table.ts';
import { called, type Matcher, type PatternRule, sqlFacts, sqlWith } from './pattern-rule.ts';

/** A text formatted by `fmt.Sprintf`, or concatenated from strings and other values. */
const composedText: Matcher = {
  any: [
    { kind: 'call_expression', ...called('^fmt\\.Sprintf?$') },
    {
      kind: 'binary_expression',
      all: [
        { has: { kind: 'interpreted_string_literal', stopBy: 'end' } },
        {
          has: {
            any: [{ kind: 'identifier' }, { kind: 'selector_expression' }, { kind: 'call_expression' }],
            stopBy: 'end',
          },
        },
      ],
    },
  ],
};

const argument = (of: Matcher): Matcher => ({ has: { field: 'arguments', has: of } });

/** Functions without side effects. */
const pureFunctions =
  '^(?:fmt\\.(?:Errorf|Sprint|Sprintf|Sprintln)|errors\\.(?:New|Wrap|Wrapf|Join)|strings\\.(?:Trim\\w*|Replace|ReplaceAll|ToLower|ToUpper|Split|Join|Repeat)|strconv\\.(?:Itoa|Quote)|filepath\\.(?:Join|Clean)|path\\.Join)$';

/** Rules for Go, about faults that its compiler accepts. */
export const goRules: readonly PatternRule[] = [
  {
    id: 'unused-result',
    severity: harm.lost,
    category: correctness,
    title: 'The result of the call is not used',
    why: 'The function has no side effects: an assignment or a `return` is missing.',
    rule: { kind: 'call_expression', ...called(pureFunctions), inside: { kind: 'expression_statement' } },
  },
  {
    id: 'used-before-error-check',
    severity: harm.broken,
    category: stability,
    title: 'Closed before the error is checked',
    why: 'After an error there is nothing to close, and this panics. Move the `defer` after the error check.',
    rule: {
      any: [
        { pattern: 'defer $OPENED.Body.Close()', follows: { pattern: '$OPENED, $ERROR := $FUNCTION($$$)' } },
        {
          pattern: 'defer $OPENED.Close()',
          follows: { pattern: '$OPENED, $ERROR := $FUNCTION($$$)', regex: '\\.Query(?:Context)?\\(' },
        },
      ],
    },
  },
  {
    id: 'lost-cancel',
    severity: harm.sometimes,
    category: stability,
    title: 'The `cancel` function of the context is discarded',
    why: 'The context and its timer are leaked until the parent context ends. Keep the function and `defer` a call to it.',
    rule: {
      any: [{ kind: 'short_var_declaration' }, { kind: 'assignment_statement' }],
      regex: '^\\w+, _ :?= context\\.With(?:Cancel|Timeout|Deadline)\\(',
    },
  },
  {
    id: 'sleep-without-unit',
    severity: harm.broken,
    category: correctness,
    title: 'A duration without a unit',
    why: 'A plain number means nanoseconds. Multiply it by `time.Second` or another unit.',
    rule: {
      kind: 'call_expression',
      all: [
        called('^time\\.(?:Sleep|After|Tick|NewTimer|NewTicker)$'),
        argument({ kind: 'int_literal', regex: '^[1-9]\\d{0,4}$' }),
      ],
    },
  },
  {
    id: 'waitgroup-add-inside',
    severity: harm.broken,
    category: correctness,
    title: '`WaitGroup.Add` is called inside the goroutine',
    why: 'A race condition: `Wait` may return before the goroutine has started. Call `Add` before the `go` statement.',
    rule: {
      kind: 'go_statement',
      regex: '^go func\\([^)]*\\) *\\{\\s*\\w*(?:wg|Wg|WG|[wW]aitGroup)\\.Add\\(',
    },
  },
  {
    id: 'answer-goes-on',
    severity: harm.broken,
    category: correctness,
    title: 'The handler continues after sending an error response',
    why: 'The code that follows writes to the same response. A `return` is missing.',
    rule: {
      kind: 'expression_statement',
      regex: '^http\\.Error\\(',
      nthChild: { position: 1, reverse: true, ofRule: { not: { kind: 'comment' } } },
      inside: {
        any: [{ kind: 'statement_list' }, { kind: 'block' }],
        inside: {
          kind: 'if_statement',
          stopBy: { kind: 'func_literal' },
          has: { field: 'condition', regex: '^err != nil$' },
          not: { has: { field: 'alternative', regex: '' } },
          precedes: {
            not: { any: [{ kind: 'comment' }, { kind: 'return_statement', regex: '^return$' }] },
            stopBy: 'neighbor',
          },
        },
      },
    },
  },
  {
    id: 'certificate-not-checked',
    severity: harm.unprotected,
    cwe: 'CWE-295',
    title: 'Certificate verification is disabled',
    why: 'Anybody on the network path can read and change what is sent.',
    rule: {
      kind: 'keyed_element',
      regex: '^InsecureSkipVerify:\\s*true$',
      // Not where a condition shows that a user asked for it.
      not: {
        inside: {
          kind: 'if_statement',
          stopBy: 'end',
          has: { field: 'condition', regex: '(?i)insecure|skip|verif|self_?signed' },
        },
      },
    },
  },
  {
    id: 'shell-injection',
    severity: harm.unprotected,
    cwe: 'CWE-78',
    title: 'A value is inserted into a shell command',
    why: 'Whoever controls the value can run other commands. Pass the arguments as a list, without a shell.',
    rule: {
      kind: 'call_expression',
      all: [
        called('^exec\\.Command(?:Context)?$'),
        { has: { field: 'arguments', regex: '"(?:/bin/|/usr/bin/)?(?:ba|z|da)?sh",\\s*"-\\w*c",' } },
        argument(composedText),
      ],
    },
  },
  {
    ...sqlFacts,
    rule: {
      kind: 'call_expression',
      all: [
        called('\\.(?:Query|QueryRow|Exec)(?:Context)?$'),
        argument({
          any: [
            {
              kind: 'call_expression',
              all: [
                called('^fmt\\.Sprintf$'),
                { has: { field: 'arguments', has: { nthChild: 1, all: sqlWith('%[svq]') } } },
              ],
            },
            { kind: 'binary_expression', all: sqlWith('["`]\\s*\\+') },
          ],
        }),
      ],
    },
  },
];
