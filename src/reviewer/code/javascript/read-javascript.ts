import type { CodeFacts } from '../code-facts.ts';
import { importsAsUses } from '../imports-as-uses.ts';
import { readDefinitions } from './definitions.ts';
import { readExports } from './exports.ts';
import { readImports } from './imports.ts';
import { namesOfBlock } from './scopes.ts';
import { type Node, parseJavaScript } from './syntax.ts';
import { readUses } from './uses.ts';

/** Reads the definitions, imports, exports and uses of a JavaScript or TypeScript file; undefined if it does not parse. */
export async function readJavaScript(
  path: string,
  text: string,
  formerNames: readonly string[] = [],
): Promise<CodeFacts | undefined> {
  const syntax = await parseJavaScript(path, text);
  if (syntax === undefined) return undefined;
  const imports = readImports(syntax);
  const brought = new Set(imports.map(({ local }) => local));
  // `const { load } = require('./load')` imports a name and defines none.
  const definitions = readDefinitions(syntax).filter(({ name }) => !brought.has(name));
  const { exports, hasOpenExports } = readExports(syntax);
  // A declaration file exports everything that it declares, with or without `export`.
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
  // A missing name is undefined after `require`, which matters only to code that uses it.
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
