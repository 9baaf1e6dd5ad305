import { globMatcher } from '../../../lib/patterns/glob.ts';
import { type AstGrepRule, languages } from '../../configuration/read-ast-grep-rules.ts';
import type { Severity } from '../../finding-vocabulary.ts';
import type { RuleFinding, RuleSource, SourceText } from '../../rule-source.ts';
import { findOneByOne } from '../find-one-by-one.ts';
import { describeFinding, maintainability, type RuleFacts } from '../rule-facts.ts';
import type { AstGrepMatch } from './find-matches.ts';

const severityOf: Record<AstGrepRule['severity'], Severity> = {
  error: 'major',
  warning: 'minor',
  info: 'trivial',
  hint: 'info',
  off: 'info',
};

export interface SyntaxRule extends AstGrepRule {
  /** A text that this does not match cannot match the rule either, so it need not be parsed for it. */
  readonly needs?: RegExp | undefined;
}

/** A source of ast-grep rules: the organization's own, unless another name is given. */
export function astGrepRules(given: readonly SyntaxRule[], name = 'ast_grep'): RuleSource {
  const rules = given.filter(({ severity }) => severity !== 'off');
  const scopes = rules.map(scopeOf);
  const rulesFor = ({ path, text }: SourceText) =>
    [...scopes.keys()].filter((index) => scopes[index]!(path) && (rules[index]!.needs?.test(text) ?? true));
  return {
    name,
    covers: (path) => scopes.some((isInScope) => isInScope(path)),
    async find(files, signal) {
      const { findMatches } = await import('./find-matches.ts');
      const findIn = (file: SourceText) =>
        findMatches(rules, file.text, rulesFor(file)).map((match) =>
          toFinding(name, rules[match.rule]!, match),
        );
      return findOneByOne(findIn)(files, signal);
    },
  };
}

function scopeOf({ language, files, ignores }: AstGrepRule): (path: string) => boolean {
  const isNamed = files.length === 0 ? () => true : globMatcher(files, { dot: true });
  const isIgnored = globMatcher(ignores, { dot: true });
  return (path) => languages[language].test(path) && isNamed(path) && !isIgnored(path);
}

function toFinding(source: string, rule: AstGrepRule, { startLine, endLine }: AstGrepMatch): RuleFinding {
  const severity = rule.metadata?.severity ?? severityOf[rule.severity];
  const title = rule.message.split('\n')[0]!.trim().slice(0, 200) || rule.id;
  const { category = maintainability, cwe } = rule.metadata ?? {};
  const facts: RuleFacts = [severity, category, title, rule.note, cwe];
  // A message that is the same as the title is not repeated, unless there is no other text.
  const said = rule.message.trim() === title && rule.note !== '' ? '' : rule.message;
  return { rule: `${source}/${rule.id}`, startLine, endLine, ...describeFinding(facts, said) };
}
