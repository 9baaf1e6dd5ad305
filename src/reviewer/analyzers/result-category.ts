import type { RuleFacts } from '../../lib/sarif/sarif-rule-facts.ts';
import type { ScanFinding } from '../../lib/sarif/scan-finding.ts';
import type { Category, Severity } from '../finding-vocabulary.ts';
import { correctness, maintainability, performance, security, stability } from '../rules/rule-facts.ts';

/** Words of analyzers, in their tags, categories and the names of their rules, and what they are about. The first that fits decides. */
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

/** The category that fits best what is known of a result: a score, else what the analyzer calls its rule, else a weakness, else how severe it is. */
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
