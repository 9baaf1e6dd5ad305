import go from '@ast-grep/lang-go';
import python from '@ast-grep/lang-python';
import { Lang, type NapiConfig, parse, registerDynamicLanguage, type SgNode } from '@ast-grep/napi';
import type { AstGrepRule, Language } from './read-rules.ts';

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

/** Where a rule matches. Throws if the rule itself is faulty. Only for threads: languages are registered once per process. */
export function matchRule({ language, rule, constraints, utils }: AstGrepRule, text: string): SgNode[] {
  const config = { rule, ...(constraints && { constraints }), ...(utils && { utils }) } as NapiConfig;
  return parse(names[language] as Lang, text)
    .root()
    .findAll(config);
}
