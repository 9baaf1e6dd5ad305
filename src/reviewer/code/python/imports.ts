import type { Node } from 'web-tree-sitter';
import type { Export, Import } from '../code-facts.ts';
import { childrenOf } from './scopes.ts';

/** What a module gets from others, wherever in it. */
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

/** `import a.b` brings `a`, and needs `a.b`; `import a.b as c` brings `a.b`. */
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

/** `with suppress(ImportError):`, in its short or long form. */
const suppressed = /\bsuppress\([^)]*\b(?:ImportError|ModuleNotFoundError|(?:Base)?Exception)\b/;

function isInsideTry(node: Node): boolean {
  for (let parent = node.parent; parent !== null; parent = parent.parent) {
    if (parent.type === 'try_statement' || parent.type === 'except_clause') return true;
    const [clause] = parent.type === 'with_statement' ? parent.namedChildren : [];
    if (clause != null && suppressed.test(clause.text)) return true;
  }
  return false;
}

/** Of one version of Python or one system, what the other branch brings is there as well; what runs alone, others do not see. */
const aboutTheRuntime = /\b__name__\b|\bsys\.(?:version_info|platform)\b|\bos\.name\b|\bPY[23]\b/;

/** Whether a condition around a node, or around the branch that it is the alternative to, speaks of something. */
function isUnder(node: Node, about: RegExp): boolean {
  for (let parent = node.parent; parent !== null; parent = parent.parent)
    if (parent.type === 'if_statement' && about.test(parent.childForFieldName('condition')?.text ?? ''))
      return true;
  return false;
}

/** Every name at the top of a module can be got from it; `import *` hands on what it brings. */
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
