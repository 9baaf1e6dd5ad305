import type { Finding } from '../finding.ts';
import { isOwnRule } from '../judge/equal-rules.ts';

/** Linters that Postil runs itself. Findings of Postil's own runs are always `proven`, those from logs `likely`. */
const linters = /^(?:oxlint|ruff|actionlint|shell|ast_grep)\//;

/** Whether a finding comes from the log of an analyzer: Postil's own rules neither find it again nor notice that it is fixed. */
export function isOfAnalyzer({ source, confidence }: Pick<Finding, 'source' | 'confidence'>): boolean {
  if (source.kind !== 'rule') return false;
  return !isOwnRule(source.name) || (confidence === 'likely' && linters.test(source.name));
}

/** Renames an analyzer that has the name of one of Postil's own rule sources, so that their findings are not confused. */
export function withoutOwnName(tool: string): string {
  const isTaken = isOwnRule(`${tool}/`) && !linters.test(`${tool}/`);
  return isTaken ? `${tool}-analyzer` : tool;
}

/** Whether the rule belongs to one of these analyzers. */
export function isRuleOf(tools: readonly string[], rule: string): boolean {
  return tools.some((tool) => rule.startsWith(`${tool}/`));
}
