import type { CodeFacts } from '../code-facts.ts';
import { importsAsUses } from '../imports-as-uses.ts';
import { readDefinitions } from './definitions.ts';
import { readExports } from './exports.ts';
import { readImports } from './imports.ts';
import { namesOfBlock } from './scopes.ts';
import { type Node, parseJavaScript } from './syntax.ts';
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
  // What a file declares of another one is given, whether it says so or not.
  if (/\.d\.[cm]?ts$/.test(path))
    for (const { name, startLine } of definitions)
      if (!name.includes('.') && !exports.some((each) => each.name === name))
        exports.push({ name, local: name, from: null, imported: null, line: startLine });
  const known = new Set([
    ...formerNames,
    ...definitions.map(({ name }) => name),
    ...imports.flatMap(({ local }) => local ?? []),
  ]);
  const uses = readUses(syntax, (name) => known.has(name));
  const used = new Set(uses.map(({ name }) => name));
  // What `require` brings is undefined where it is missing, which matters to those alone who use it.
  const declarations = syntax.program.body.filter(({ type }: Node) => type === 'VariableDeclaration');
  const variables = new Set(namesOfBlock(declarations));
  const unused = imports.filter(({ local }) => local === null || !(used.has(local) || variables.has(local)));
  return {
    definitions,
    imports,
    exports,
    uses: [...uses, ...importsAsUses(unused)],
    hasOpenExports,
  };
}
