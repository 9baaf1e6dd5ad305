import type { RuleExample } from '../../rule-examples.ts';
import type { RuleFacts } from '../../rule-facts.ts';

/** A rule about nodes of a syntax tree, by what they say. */
export interface TreeRule {
  readonly id: string;
  readonly facts: RuleFacts;
  /** The types of nodes that it is about, in the grammar of the language. */
  readonly nodes: readonly string[];
  /** How they begin, or what is in them. */
  readonly text: RegExp;
  /** Where this is in it, nothing is wrong. */
  readonly unless?: RegExp;
  /** What must be named in the function around it. */
  readonly around?: RegExp;
  readonly example: Omit<RuleExample, 'path'>;
}

/** A language, and what is looked for in it. */
export interface TreeLanguage {
  readonly name: string;
  readonly files: RegExp;
  /** The file of the examples. */
  readonly path: string;
  readonly rules: readonly TreeRule[];
}

const sqlBeginning = '\\s*(?:select|insert\\s+into|update|delete\\s+from|replace\\s+into)\\b';
const valueBefore = '(?:=|<|>|\\blike\\b|\\bin\\b|\\bvalues\\b)\\s*\\(?\\s*[\'"%]*';

/** A query into which a value is put, by a pattern for how texts begin and how the value follows. */
export const queryWith = (beginning: string, value: string): RegExp =>
  new RegExp(`^${beginning}${sqlBeginning}[^;]{0,1000}?${valueBefore}${value}`, 'i');

/** Signs that stand for parameters, parts of the query, and what was escaped. */
export const harmlessParts = /placeholder|clause|bind|['"]\?['"]|\w+sql\b|quote|escape/i;

/** The same, and names in capitals alone, which are constants of the program. */
export const harmlessOrConstant =
  /"\s*\+\s*[A-Z][A-Z_\d]+\b|[Pp]laceholder|[Cc]lause|[Bb]ind|['"]\?['"]|\w+[Ss](?:QL|ql)\b|[Qq]uote|[Ee]scape/;

/** What must not be guessed. */
export const secretNames = /token|passw|secret|session|nonce|\bsalt\b|otp\b|api_?key|remember_?me|captcha/i;
