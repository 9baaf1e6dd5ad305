import type { Finding } from '../finding.ts';
import { isOwnRule } from '../judge/equal-rules.ts';

/** Linters that come with Postil, too; what they say themselves is always proven. */
const linters = /^(?:oxlint|ruff|actionlint|shell|ast_grep)\//;

/** Whether a finding was read from the log of an analyzer: no look of ours finds it again, or tells that it is gone. */
export function isOfAnalyzer({ source, confidence }: Pick<Finding, 'source' | 'confidence'>): boolean {
  if (source.kind !== 'rule') return false;
  return !isOwnRule(source.name) || (confidence === 'likely' && linters.test(source.name));
}

/** An analyzer that is called like one of our own sources gets a name of its own: what it says is not ours to settle. */
export function withoutOwnName(tool: string): string {
  const isTaken = isOwnRule(`${tool}/`) && !linters.test(`${tool}/`);
  return isTaken ? `${tool}-analyzer` : tool;
}

/** Whether one of these analyzers has the rule of a finding. */
export function isRuleOf(tools: readonly string[], rule: string): boolean {
  return tools.some((tool) => rule.startsWith(`${tool}/`));
}
