import type { RuleFinding } from '../rule-source.ts';
import { harm } from './severity-table.ts';

/** Commands, queries and code: what a stranger must not be able to write. */
const writtenByStrangers: ReadonlySet<string | null> = new Set(['CWE-78', 'CWE-89', 'CWE-95']);

/** How the code of common frameworks names what a request brings. */
const fromRequest =
  /\breq(?:uest)?\.(?:query|body|params?|headers|cookies|url|args|form|values|json|get_json|GET|POST|data|query_params)\b|\bctx\.(?:query|params|request)\b|\bsearchParams\.get\b|\br\.(?:URL\.Query|FormValue|PostFormValue|PathValue)\(|\bc\.(?:Query|QueryParam|Param|FormValue|PostForm)\(/;

/** A line that is nothing but a comment, in any language. */
export const isComment = /^\s*(?:\/\/|\/\*|\*(?!\w)|#|--\s|\{\/\*|<!--)/;

/** Gives findings the severity that the lines they stand on call for, where a rule by itself cannot tell. */
export function weighInContext(findings: readonly RuleFinding[], text: string): RuleFinding[] {
  if (findings.length === 0) return [];
  const lines = text.split('\n');
  return findings.map((finding) => {
    const { rule, severity, cwe, body, startLine, endLine } = finding;
    const own = lines.slice(startLine - 1, endLine);
    if (writtenByStrangers.has(cwe) && own.some((line) => fromRequest.test(line)))
      return { ...finding, severity: harm.takeover, body: `${body} Here it comes from a request.` };
    // An import twice is left over; a function or a test that another replaces never runs.
    if (rule === 'ruff/F811' && own.some((line) => /^\s*(?:async\s+def|def|class)\s/.test(line)))
      return { ...finding, severity: harm.lost };
    // What is known by its form can be used by whoever reads it, also in a comment.
    if (
      rule.startsWith('secrets/') &&
      severity === harm.likelyCredential &&
      own.every((line) => isComment.test(line))
    )
      return { ...finding, severity: harm.formerCredential };
    return finding;
  });
}
