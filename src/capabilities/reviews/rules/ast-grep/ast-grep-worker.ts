import { parentPort, workerData } from 'node:worker_threads';
import go from '@ast-grep/lang-go';
import python from '@ast-grep/lang-python';
import { Lang, type NapiConfig, parse, registerDynamicLanguage } from '@ast-grep/napi';
import type { AstGrepMatch, AstGrepWork } from './ast-grep.ts';
import type { Language } from './read-rules.ts';

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
const { rules, files } = workerData as AstGrepWork;

function findIn(text: string, wanted: readonly number[]): AstGrepMatch[] {
  return wanted.flatMap((index) => {
    const { language, rule, constraints, utils } = rules[index]!;
    const config = { rule, ...(constraints && { constraints }), ...(utils && { utils }) } as NapiConfig;
    const found = parse(names[language] as Lang, text)
      .root()
      .findAll(config);
    return found.map((node) => {
      const { start, end } = node.range();
      return {
        rule: index,
        startLine: start.line + 1,
        endLine: (end.line - start.line > 10 ? start.line : end.line) + 1,
      };
    });
  });
}

parentPort!.postMessage(files.map((file) => findIn(file.text, file.rules)));
