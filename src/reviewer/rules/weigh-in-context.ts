import type { RuleFinding } from '../rule-source.ts';
import { harm } from './severity-table.ts';

/** Weaknesses that let a stranger write commands, queries or code. */
const writtenByStrangers: ReadonlySet<string | null> = new Set(['CWE-78', 'CWE-89', 'CWE-95']);

/** The names of values from a request in common frameworks. */
const fromRequest =
  /\breq(?:uest)?\.(?:query|body|params?|headers|cookies|url|args|form|values|json|get_json|GET|POST|data|query_params)\b|\bctx\.(?:query|params|request)\b|\bsearchParams\.get\b|\br\.(?:URL\.Query|FormValue|PostFormValue|PathValue)\(|\bc\.(?:Query|QueryParam|Param|FormValue|PostForm)\(/;

/** A line that is nothing but a comment, in any language. */
export const isComment = /^\s*(?:\/\/|\/\*|\*(?!\w)|#|--\s|\{\/\*|<!--)/;

/** Adjusts the severity of findings by the lines that they are on, if a rule by itself cannot decide it. */
export function weighInContext(findings: readonly RuleFinding[], text: string): RuleFinding[] {
  if (findings.length === 0) return [];
  const lines = text.split('\n');
  return findings.map((finding) => {
    const { rule, severity, cwe, body, startLine, endLine } = finding;
    const own = lines.slice(startLine - 1, endLine);
    if (writtenByStrangers.has(cwe) && own.some((line) => fromRequest.test(line)))
      return { ...finding, severity: harm.takeover, body: `${body} Here, it comes from a request.` };
    // A duplicate import is a leftover, but a function or test that another one replaces never runs.
    if (rule === 'ruff/F811' && own.some((line) => /^\s*(?:async\s+def|def|class)\s/.test(line)))
      return { ...finding, severity: harm.lost };
    // A credential that is recognized by its form stays critical in a comment: anybody who reads it can use it.
    if (
      rule.startsWith('secrets/') &&
      severity === harm.likelyCredential &&
      own.every((line) => isComment.test(line))
    )
      return { ...finding, severity: harm.formerCredential };
    return finding;
  });
}
