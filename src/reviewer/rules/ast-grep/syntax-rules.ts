import go from '@ast-grep/lang-go';
import python from '@ast-grep/lang-python';
import { Lang, type NapiConfig, parse, registerDynamicLanguage, type SgNode } from '@ast-grep/napi';
import type { AstGrepRule, Language } from '../../configuration/read-ast-grep-rules.ts';

const names: Record<Language, string> = {
  javascript: Lang.JavaScript,
  typescript: Lang.TypeScript,
  tsx: Lang.Tsx,
  html: Lang.Html,
  css: Lang.Css,
  python: 'python',
  go: 'go',
};

registerDynamicLanguage({ python, go });

type Matching = Pick<AstGrepRule, 'language' | 'rule' | 'constraints' | 'utils'>;

/**
 * Returns a function that finds the matches of a rule in a text; the text is parsed once per language. Throws if a rule is
 * faulty. Only for review processes, since languages can be registered only once per process.
 */
export function matcherFor(text: string): (rule: Matching) => SgNode[] {
  const roots = new Map<Language, SgNode>();
  return ({ language, rule, constraints, utils }) => {
    const config = { rule, ...(constraints && { constraints }), ...(utils && { utils }) } as NapiConfig;
    const root = roots.get(language) ?? parse(names[language] as Lang, text).root();
    roots.set(language, root);
    return root.findAll(config);
  };
}
