import type { Node } from 'web-tree-sitter';
import { parseTree } from '../../../code/symbols.ts';
import type { FlowFile, Statement } from '../form.ts';
import { summandsOf } from './common.ts';

export const lineOf = (node: Node): number => node.startPosition.row + 1;

/** The named children of a node, without comments and line continuations. */
export const childrenOf = (node: Node | null): Node[] =>
  (node?.namedChildren ?? []).filter((child) => child !== null && !child.isExtra) as Node[];

/** Both operands of an operation, or all of a sum. */
export function binaryParts(node: Node, type: string): (Node | null)[] {
  const signOf = (each: Node) => each.childForFieldName('operator')?.text;
  return summandsOf<Node | null>(node, (each) =>
    each?.type === type && (each.id === node.id || (signOf(node) === '+' && signOf(each) === '+'))
      ? [each.childForFieldName('left'), each.childForFieldName('right')]
      : null,
  );
}

/** Parses a text with tree-sitter, and translates it to the form that the engine runs; undefined if it does not parse. */
export async function translateTree(
  path: string,
  text: string,
  language: FlowFile['language'],
  bodyOf: (root: Node) => readonly Statement[],
): Promise<FlowFile | undefined> {
  const tree = await parseTree(path, text);
  if (tree === undefined) return undefined;
  try {
    return tree.rootNode.hasError ? undefined : { path, language, body: bodyOf(tree.rootNode) };
  } finally {
    tree.delete();
  }
}
