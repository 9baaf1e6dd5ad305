import type { Node } from 'web-tree-sitter';
import { declaration, parseTree } from './symbols.ts';

/** Something that a file declares, in any language that there is a grammar for. */
export interface Declaration {
  /** Without the names of what it stands in. */
  readonly name: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Nobody nests deeper. */
const maxDepth = 500;

/** The functions, classes and types of a text; undefined without a grammar, or where parsing takes too long. */
export async function readDeclarations(path: string, text: string): Promise<Declaration[] | undefined> {
  const tree = await parseTree(path, text);
  if (tree === undefined) return undefined;
  const found: Declaration[] = [];
  // Not by calling itself: code can be nested deeper than calls can.
  const open: [node: Node, depth: number][] = [[tree.rootNode, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next;
    const isOne = declaration.test(node.type) && !node.type.endsWith('declarator');
    const name = isOne ? nameOf(node) : undefined;
    if (name !== undefined)
      found.push({ name, startLine: node.startPosition.row + 1, endLine: node.endPosition.row + 1 });
    if (depth === maxDepth) continue;
    for (const child of node.namedChildren.toReversed()) if (child !== null) open.push([child, depth + 1]);
  }
  tree.delete();
  return found;
}

/** In C the name of a function stands at the end of its declarators. */
function nameOf(node: Node): string | undefined {
  let named = node.childForFieldName('name');
  for (let at = node.childForFieldName('declarator'); named === null && at !== null; ) {
    const inner = at.childForFieldName('declarator') ?? at.childForFieldName('name');
    if (inner === null) named = at;
    at = inner;
  }
  return named?.text.slice(0, 200);
}
