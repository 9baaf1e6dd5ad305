import type { Node } from 'web-tree-sitter';
import { parserFor } from './symbols.ts';

const parseMs = 1_000;

/**
 * Whether a change to a text leaves it a program: it has no more errors than before. Without a grammar for the language
 * nobody can tell, and it counts as one; a text that takes too long to parse does not.
 */
export async function stillParses(name: string, before: string, after: string): Promise<boolean> {
  const parser = await parserFor(name);
  if (parser === undefined) return true;
  const count = (text: string) => {
    const end = performance.now() + parseMs;
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
    if (tree === null) {
      parser.reset();
      return undefined;
    }
    const found = countErrors(tree.rootNode);
    tree.delete();
    return found;
  };
  const errors = count(after);
  if (errors === undefined || errors === 0) return errors === 0;
  return errors <= (count(before) ?? 0);
}

function countErrors(node: Node): number {
  if (!node.hasError) return 0;
  const own = node.isError || node.isMissing ? 1 : 0;
  return node.children.reduce((sum, child) => sum + (child === null ? 0 : countErrors(child)), own);
}
