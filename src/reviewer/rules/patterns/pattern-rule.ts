import type { AstGrepRule } from '../../configuration/read-ast-grep-rules.ts';
import type { Category, Severity } from '../../finding-vocabulary.ts';
import { harm } from '../severity-table.ts';

export type Matcher = AstGrepRule['rule'];

/** A rule by syntax; its category is security unless given. */
export interface PatternRule {
  readonly id: string;
  readonly severity: Severity;
  readonly category?: Category;
  readonly cwe?: `CWE-${number}`;
  readonly title: string;
  readonly why: string;
  /** A text that this does not match cannot match the rule, so it need not be parsed. */
  readonly needs?: RegExp;
  readonly rule: Matcher;
}

export const called = (name: string): Matcher => ({ has: { field: 'function', regex: name } });

const sqlBeginning = '["\'`]\\s*(?:select|insert\\s+into|update|delete\\s+from|replace\\s+into)\\b';
const sqlStart = `(?is)^[brfuBRFU]*["'\`]*${sqlBeginning}`;
const valueBefore = '(?:=|<|>|\\blike\\b|\\bin\\b|\\bvalues\\b)\\s*\\(?\\s*[\'"%]*';

/** Parts of a query that hold no untrusted values: placeholders, clauses, and escaped values. */
const harmlessParts = '(?i)placeholder|clause|\\bparams?\\b|bind|[\'"]\\?[\'"]|\\w+sql\\b|quote|escape';

/**
 * Matches the text of a query that something is inserted into; `composed` is the pattern of the insertion. It must be a value
 * rather than the name of a table: a comparison or a list of values must come before it.
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
  title: 'A value is inserted into an SQL query',
  why: 'Whoever controls the value can change the query (SQL injection). Pass it as a parameter.',
  needs: new RegExp(sqlBeginning, 'i'),
} as const;
