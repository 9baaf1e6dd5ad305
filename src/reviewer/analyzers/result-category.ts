import type { RuleFacts } from '../../lib/sarif/sarif-rule-facts.ts';
import type { ScanFinding } from '../../lib/sarif/scan-finding.ts';
import type { Category, Severity } from '../finding-vocabulary.ts';
import { correctness, maintainability, performance, security, stability } from '../rules/rule-facts.ts';

/** Words in the tags, category, kind and problem severity of analyzers' rules, with our category. The first match decides. */
const words: readonly (readonly [RegExp, Category])[] = [
  [/\b(?:security|vulnerabilit(?:y|ies)|owasp|injection|crypto|malicious)\b/, security],
  [/\b(?:performance|perf|efficiency)\b/, performance],
  [/\b(?:reliability|stability|resource|concurrency|multithreading|mt_correctness|leaks?)\b/, stability],
  [/\b(?:correctness|bugs?|errors?|problem|suspicious|error ?prone)\b/, correctness],
  [
    /\b(?:maintainability|style|best ?practices?|bad_practice|code ?style|design|documentation|complexity|readability|pedantic|nursery|suggestion|layout|dodgy|experimental)\b/,
    maintainability,
  ],
];

/** Derives a category from a security score, else from the rule's properties, else from a CWE, else from the severity. */
export function categoryOf(
  { cwe }: Pick<ScanFinding, 'cwe'>,
  rule: RuleFacts | null,
  severity: Severity,
  hasScore: boolean,
): Category {
  if (hasScore) return security;
  const { tags, category, kind, 'problem.severity': problem } = rule?.properties ?? {};
  const said = [...(Array.isArray(tags) ? tags : [tags]), category, kind, problem]
    .filter((text) => typeof text === 'string')
    .join(' ')
    .toLowerCase();
  const named = words.find(([pattern]) => pattern.test(said))?.[1];
  if (named !== undefined) return named;
  if (cwe.length > 0) return security;
  return severity === 'info' || severity === 'trivial' ? maintainability : correctness;
}
