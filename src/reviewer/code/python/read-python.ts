import type { CodeFacts } from '../code-facts.ts';
import { importsAsUses } from '../imports-as-uses.ts';
import { parseTree } from '../symbols.ts';
import { readDefinitions } from './definitions.ts';
import { exportsOf, readImports } from './imports.ts';
import { runtimeNames } from './runtime-names.ts';
import { namesImported, statementsOf } from './scopes.ts';
import { readUses } from './uses.ts';

/** Reads the definitions, imports, exports and uses of a Python module; undefined if it does not parse. */
export async function readPython(
  path: string,
  text: string,
  formerNames: readonly string[] = [],
): Promise<CodeFacts | undefined> {
  const tree = await parseTree(path, text);
  if (tree === undefined) return undefined;
  try {
    const module = tree.rootNode;
    if (module.hasError) return undefined;
    const imports = readImports(module);
    const brought = new Set(imports.map(({ local }) => local));
    const definitions = readDefinitions(module).filter(({ name }) => !brought.has(name));
    const known = new Set([
      ...formerNames,
      ...definitions.map(({ name }) => name),
      ...statementsOf(module).flatMap(namesImported),
    ]);
    const uses = readUses(module, (name) => known.has(name));
    const used = new Set(uses.map(({ name }) => name));
    const own = definitions.filter(({ name }) => !name.includes('.'));
    const made = runtimeNames(text);
    return {
      definitions,
      imports,
      exports: [
        ...exportsOf(
          own.map(({ name, startLine }) => ({ name, line: startLine })),
          imports,
        ),
        ...made.names.map((each) => ({ ...each, local: null, from: null, imported: null })),
      ],
      uses: [...uses, ...importsAsUses(imports.filter(({ local }) => local !== null && !used.has(local)))],
      hasOpenExports: made.isOpen,
    };
  } finally {
    tree.delete();
  }
}
