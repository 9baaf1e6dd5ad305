import {
  type AstGrepRule,
  type PlacedRule,
  readAstGrepRules,
} from '../../configuration/read-ast-grep-rules.ts';
import { matcherFor } from './syntax-rules.ts';

/** A fault in one of several texts with rules: the index of the text, and a message that names the place in it. */
export interface RuleTextFault {
  readonly text: number;
  readonly fault: string;
}

/**
 * Finds everything that makes rules unusable: YAML errors, wrong structure, duplicate ids and patterns that cannot be compiled.
 */
export async function work(texts: readonly string[]): Promise<RuleTextFault[]> {
  const read = texts.map((text) => readAstGrepRules(text));
  const faults = read.flatMap(({ faults }, text) => faults.map((fault) => ({ text, fault })));
  const placed = read.flatMap(({ placed }, text) => placed.map((rule) => ({ ...rule, text })));
  faults.push(...repeatedIds(placed));
  if (faults.length > 0) return faults;
  return placed.flatMap(({ text, rule, line, column }) => {
    const fault = faultOf(rule);
    return fault === null
      ? []
      : [{ text, fault: `line ${line}, column ${column}: the rule ${rule.id} cannot be used: ${fault}` }];
  });
}

function faultOf(rule: AstGrepRule): string | null {
  try {
    matcherFor('')(rule);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function repeatedIds(placed: readonly (PlacedRule & { readonly text: number })[]): RuleTextFault[] {
  const known = new Set<string>();
  return placed.flatMap(({ text, rule, line, column }) => {
    if (!known.has(rule.id)) {
      known.add(rule.id);
      return [];
    }
    return [{ text, fault: `line ${line}, column ${column}: another rule has the id ${rule.id}` }];
  });
}
