import type { Node } from 'web-tree-sitter';
import type { Export, Import } from '../code-facts.ts';
import { childrenOf } from './scopes.ts';

/** Reads all imports of a module, also those inside functions. */
export function readImports(module: Node): Import[] {
  return module
    .descendantsOfType(['import_statement', 'import_from_statement', 'future_import_statement'])
    .flatMap((node) => {
      if (node === null || node.type === 'future_import_statement') return [];
      const isType = isUnder(node, /\bTYPE_CHECKING\b/);
      const common = {
        line: node.startPosition.row + 1,
        isType,
        isGuarded: isType || isInsideTry(node) || isUnder(node, aboutTheRuntime),
      };
      return node.type === 'import_statement' ? plainImports(node, common) : importsFrom(node, common);
    });
}

type Common = Pick<Import, 'line' | 'isType' | 'isGuarded'>;

/** `import a.b` binds `a`, and loads `a.b`; `import a.b as c` binds `a.b`. */
function plainImports(node: Node, common: Common): Import[] {
  return childrenOf(node).flatMap((part): Import[] => {
    const alias = part.childForFieldName('alias')?.text;
    const from = (part.childForFieldName('name') ?? part).text;
    const [first] = from.split('.') as [string];
    if (alias !== undefined || first === from)
      return [{ ...common, local: alias ?? from, from, imported: '*' }];
    return [
      { ...common, local: first, from: first, imported: '*' },
      { ...common, local: null, from, imported: '' },
    ];
  });
}

function importsFrom(node: Node, common: Common): Import[] {
  const from = node.childForFieldName('module_name')!.text;
  const parts = childrenOf(node).slice(1);
  return parts
    .filter((part) => part.type !== 'comment')
    .map((part): Import => {
      if (part.type === 'wildcard_import') return { ...common, local: null, from, imported: '*' };
      const imported = (part.childForFieldName('name') ?? part).text;
      const line = part.startPosition.row + 1;
      return { ...common, line, local: part.childForFieldName('alias')?.text ?? imported, from, imported };
    });
}

/** `with suppress(ImportError):`, with or without `contextlib.` in front. */
const suppressed = /\bsuppress\([^)]*\b(?:ImportError|ModuleNotFoundError|(?:Base)?Exception)\b/;

function isInsideTry(node: Node): boolean {
  for (let parent = node.parent; parent !== null; parent = parent.parent) {
    if (parent.type === 'try_statement' || parent.type === 'except_clause') return true;
    const [clause] = parent.type === 'with_statement' ? parent.namedChildren : [];
    if (clause != null && suppressed.test(clause.text)) return true;
  }
  return false;
}

/**
 * Conditions on the version of Python or the system, where another branch may provide the name, and on being run as a script,
 * where other modules do not see the name.
 */
const aboutTheRuntime = /\b__name__\b|\bsys\.(?:version_info|platform)\b|\bos\.name\b|\bPY[23]\b/;

/** Whether the condition of an `if` around a node matches, also if the node is in another branch of it. */
function isUnder(node: Node, about: RegExp): boolean {
  for (let parent = node.parent; parent !== null; parent = parent.parent)
    if (parent.type === 'if_statement' && about.test(parent.childForFieldName('condition')?.text ?? ''))
      return true;
  return false;
}

/** The exports of a module: all names at its top, imported ones included; `import *` re-exports all names of its module. */
export function exportsOf(
  names: readonly { readonly name: string; readonly line: number }[],
  imports: readonly Import[],
): Export[] {
  const own = names.map(
    ({ name, line }): Export => ({ name, local: name, from: null, imported: null, line }),
  );
  const brought = imports
    .filter(({ imported }) => imported !== '')
    .map(
      ({ local, from, line }): Export =>
        local === null
          ? { name: '*', local: null, from, imported: '*', line }
          : { name: local, local, from: null, imported: null, line },
    );
  return [...own, ...brought];
}
