import type { CodeFacts } from '../code-facts.ts';
import { importsAsUses } from '../imports-as-uses.ts';
import { readDefinitions } from './definitions.ts';
import { readExports, readImports } from './imports.ts';
import { parseJavaScript } from './syntax.ts';
import { readUses } from './uses.ts';

/** What a file of JavaScript or TypeScript defines, gets, gives and uses; undefined where it does not parse. */
export async function readJavaScript(
  path: string,
  text: string,
  formerNames: readonly string[] = [],
): Promise<CodeFacts | undefined> {
  const syntax = await parseJavaScript(path, text);
  if (syntax === undefined) return undefined;
  const imports = readImports(syntax);
  const brought = new Set(imports.map(({ local }) => local));
  // `const { load } = require('./load')` brings a name and defines none.
  const definitions = readDefinitions(syntax).filter(({ name }) => !brought.has(name));
  const { exports, hasOpenExports } = readExports(syntax);
  const known = new Set([
    ...formerNames,
    ...definitions.map(({ name }) => name),
    ...imports.flatMap(({ local }) => local ?? []),
  ]);
  return {
    definitions,
    imports,
    exports,
    uses: [
      ...readUses(syntax, (name) => known.has(name)),
      ...importsAsUses(imports.filter(({ local }) => local === null)),
    ],
    hasOpenExports,
  };
}
