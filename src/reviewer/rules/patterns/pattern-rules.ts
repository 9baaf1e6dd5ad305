import type { Language } from '../../configuration/read-ast-grep-rules.ts';
import type { SyntaxRule } from '../ast-grep/ast-grep.ts';
import { goRules } from './go-rules.ts';
import type { PatternRule } from './pattern-rule.ts';
import { pythonRules } from './python-rules.ts';
import { scriptRules } from './script-rules.ts';

function inLanguage(language: Language, rules: readonly PatternRule[]): SyntaxRule[] {
  return rules.map(({ id, severity, category = 'security_and_privacy', cwe, title, why, needs, rule }) => ({
    id,
    language,
    rule,
    message: title,
    note: why,
    severity: 'warning',
    files: [],
    ignores: [],
    metadata: { severity, category, cwe },
    needs,
  }));
}

/** Postil's own rules by syntax, for faults that none of the linters used here finds. */
export const patternRules: readonly SyntaxRule[] = [
  ...inLanguage('javascript', scriptRules),
  ...inLanguage('typescript', scriptRules),
  ...inLanguage('tsx', scriptRules),
  ...inLanguage('python', pythonRules),
  ...inLanguage('go', goRules),
];
