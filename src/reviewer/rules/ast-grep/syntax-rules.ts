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
 * Finds in one text where rules match; it is parsed once for each language. Throws if a rule is faulty. Only for processes of
 * their own: languages are registered once per process.
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
