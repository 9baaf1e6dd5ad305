import { isScalar, LineCounter, parseDocument, visit } from 'yaml';

// The linter's time is quadratic in the number of expressions. A workflow with very many, which nobody writes by hand, is only
// checked for untrusted input in scripts, in linear time. If it were skipped instead, padding would hide an attack.

const maxExpressions = 1_000;
const maxLength = 256 * 1024;

export function isTooLarge(text: string): boolean {
  return text.length > maxLength || text.split('${{').length > maxExpressions;
}

/** The GitHub contexts that contain text of anybody who opens an issue or a pull request. */
const untrusted =
  /\bgithub\.(?:head_ref\b|event\.(?:(?:issue|discussion|pull_request)\.(?:title|body)\b|(?:comment|review|review_comment)\.body\b|pull_request\.head\.(?:ref|label)\b|pull_request\.head\.repo\.default_branch\b|workflow_run\.(?:head_branch|head_commit\.message|display_title)\b|(?:commits\S*|head_commit)\.(?:message|author\.(?:email|name))\b|pages\S*\.page_name\b))/;

/** The lines of scripts that insert untrusted text. */
export function findUntrustedInput(text: string): number[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const found = new Set<number>();
  visit(document, {
    Pair(_, { key, value }) {
      const isScript = isScalar(key) && (key.value === 'run' || key.value === 'script');
      if (!isScript || !isScalar(value) || value.range == null) return;
      let offset = value.range[0];
      for (const line of text.slice(value.range[0], value.range[1]).split('\n')) {
        const hasInput = line.split('${{').some((part, index) => index > 0 && hasUntrusted(part));
        if (hasInput) found.add(lines.linePos(offset).line);
        offset += line.length + 1;
      }
    },
  });
  return [...found];
}

function hasUntrusted(expression: string): boolean {
  return untrusted.test(expression.slice(0, expression.indexOf('}}')).slice(0, 1_000));
}
