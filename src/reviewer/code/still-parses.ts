import type { Node } from 'web-tree-sitter';
import { threadMs } from '../../lib/concurrency/thread-time.ts';
import { parserFor } from './symbols.ts';

const parseMs = 1_000;

/**
 * Whether a text has no more syntax errors after a change than before. True if there is no grammar for the language; false if
 * parsing the new text takes too long.
 */
export async function stillParses(name: string, before: string, after: string): Promise<boolean> {
  const parser = await parserFor(name);
  if (parser === undefined) return true;
  const count = (text: string) => {
    const end = threadMs() + parseMs;
    const tree = parser.parse(text, null, { progressCallback: () => threadMs() > end });
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

/** Iterative, because code can be nested deeper than the call stack allows. */
function countErrors(root: Node): number {
  let found = 0;
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!node.hasError) continue;
    if (node.isError || node.isMissing) found += 1;
    for (const child of node.children) if (child !== null) open.push(child);
  }
  return found;
}
