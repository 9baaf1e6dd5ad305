import type { AstGrepRule } from '../../configuration/read-ast-grep-rules.ts';
import type { Category, Severity } from '../../finding-vocabulary.ts';
import { harm } from '../severity-table.ts';

export type Matcher = AstGrepRule['rule'];

/** A rule by syntax; about security unless it says otherwise. */
export interface PatternRule {
  readonly id: string;
  readonly severity: Severity;
  readonly category?: Category;
  readonly cwe?: `CWE-${number}`;
  readonly title: string;
  readonly why: string;
  /** Without it in a text there is no match, and the text need not be parsed. */
  readonly needs?: RegExp;
  readonly rule: Matcher;
}

export const called = (name: string): Matcher => ({ has: { field: 'function', regex: name } });

const sqlBeginning = '["\'`]\\s*(?:select|insert\\s+into|update|delete\\s+from|replace\\s+into)\\b';
const sqlStart = `(?is)^[brfuBRFU]*["'\`]*${sqlBeginning}`;
const valueBefore = '(?:=|<|>|\\blike\\b|\\bin\\b|\\bvalues\\b)\\s*\\(?\\s*[\'"%]*';

/** What does not come from outside: signs that stand for parameters, parts of the query, and what was escaped. */
const harmlessParts = '(?i)placeholder|clause|\\bparams?\\b|bind|[\'"]\\?[\'"]|\\w+sql\\b|quote|escape';

/**
 * The text of a query into which something is put, by a pattern for how. It must be a value, rather than the name of a
 * table: something stands before it that compares or lists values.
 */
export const sqlWith = (composed: string): Matcher[] => [
  { regex: sqlStart },
  { regex: `(?i)${valueBefore}${composed}` },
  { not: { regex: harmlessParts } },
];

export const sqlFacts = {
  id: 'sql-injection',
  severity: harm.unprotected,
  cwe: 'CWE-89',
  title: 'A value is put into the text of a query',
  why: 'Whoever chooses the value can change the query. Pass it as a parameter.',
  needs: new RegExp(sqlBeginning, 'i'),
} as const;
