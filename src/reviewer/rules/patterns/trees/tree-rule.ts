import type { RuleExample } from '../../rule-examples.ts';
import type { RuleFacts } from '../../rule-facts.ts';

/** A rule about nodes of a syntax tree, by their text. */
export interface TreeRule {
  readonly id: string;
  readonly facts: RuleFacts;
  /** The types of nodes that it checks, in the grammar of the language. */
  readonly nodes: readonly string[];
  /** Matches the text of faulty nodes. */
  readonly text: RegExp;
  /** Matches the text of nodes that are harmless. */
  readonly unless?: RegExp;
  /** Must match the text of the enclosing function, if given. */
  readonly around?: RegExp;
  readonly example: Omit<RuleExample, 'path'>;
}

/** A language and its rules. */
export interface TreeLanguage {
  readonly name: string;
  readonly files: RegExp;
  /** The path of the examples' file. */
  readonly path: string;
  readonly rules: readonly TreeRule[];
}

const sqlBeginning = '\\s*(?:select|insert\\s+into|update|delete\\s+from|replace\\s+into)\\b';
const valueBefore = '(?:=|<|>|\\blike\\b|\\bin\\b|\\bvalues\\b)\\s*\\(?\\s*[\'"%]*';

/** Matches a query that a value is inserted into; the arguments are patterns of the text's beginning and of the insertion. */
export const queryWith = (beginning: string, value: string): RegExp =>
  new RegExp(`^${beginning}${sqlBeginning}[^;]{0,1000}?${valueBefore}${value}`, 'i');

/** Parts of a query that hold no untrusted values: placeholders, clauses, and escaped values. */
export const harmlessParts = /placeholder|clause|bind|['"]\?['"]|\w+sql\b|quote|escape/i;

/** Like `harmlessParts`, with names in capitals, which are constants of the program. */
export const harmlessOrConstant =
  /"\s*\+\s*[A-Z][A-Z_\d]+\b|[Pp]laceholder|[Cc]lause|[Bb]ind|['"]\?['"]|\w+[Ss](?:QL|ql)\b|[Qq]uote|[Ee]scape/;

/** Names of values that must not be predictable. */
export const secretNames = /token|passw|secret|session|nonce|\bsalt\b|otp\b|api_?key|remember_?me|captcha/i;
