import type { Node } from 'web-tree-sitter';
import { nameOf, parseTree } from './symbols.ts';

/** A function, class or similar block. Lines start at 1. */
export interface Block {
  /** Its own name, without the names of the blocks around it. */
  readonly name: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Finds the blocks around lines of one text. Must be closed after use. */
export interface BlockFinder {
  /** From the outermost to the innermost block; empty if the line is in none. */
  around(line: number): readonly Block[];
  close(): void;
}

const maxDepth = 500;
/** The longest block, in lines, that is found by indentation. */
const maxLines = 1_000;

/** Parses the text once. Without a grammar for the file, or if parsing takes too long, blocks are found by indentation. */
export async function findBlocks(path: string, text: string): Promise<BlockFinder> {
  const lines = text.split('\n');
  const tree = await parseTree(path, text);
  if (tree === undefined) return { around: (line) => blockByIndentation(lines, line), close() {} };
  return {
    around(line) {
      // The node of an exported declaration starts after `export`.
      const indentation = /^\s*(?:export\s+(?:default\s+)?)?/.exec(lines[line - 1] ?? '')![0].length;
      return blocksAround(tree.rootNode, line, indentation);
    },
    close: () => tree.delete(),
  };
}

/** Goes down from the root, since a node finds its parent only by looking for itself from there. */
function blocksAround(root: Node, line: number, column: number): Block[] {
  const innermost = root.descendantForPosition({ row: line - 1, column });
  const blocks: Block[] = [];
  let node: Node | null = root;
  for (let depth = 0; node !== null && depth < maxDepth; depth += 1) {
    const name = nameOf(node);
    if (name !== undefined)
      blocks.push({ name, startLine: node.startPosition.row + 1, endLine: node.endPosition.row + 1 });
    node = innermost === null ? null : node.childWithDescendant(innermost);
  }
  return blocks;
}

const header =
  /^\s*(?:[\w@<>[\], ]*\s)?(?:def|class|fn|func|fun|function|sub|module|interface|struct|impl|trait|object|proc)\s+([\w.:$]+)/;

/** From the nearest header above with less indentation to the next line that is not indented more than it. */
function blockByIndentation(lines: readonly string[], line: number): Block[] {
  const indentationOf = (text: string) => text.search(/\S/);
  const own = indentationOf(lines[line - 1] ?? '');
  const last = Math.min(line, lines.length) - 1;
  for (let index = last; index >= Math.max(0, last - maxLines); index -= 1) {
    const found = header.exec(lines[index]!.slice(0, 500));
    const indentation = indentationOf(lines[index]!);
    if (found === null || (own !== -1 && indentation > own)) continue;
    let end = index + 1;
    while (
      end < lines.length &&
      end < index + maxLines &&
      (lines[end]!.trim() === '' || indentationOf(lines[end]!) > indentation)
    )
      end += 1;
    // A closing keyword or bracket belongs to the block.
    const isClosed = /^\s*(?:end\b|[})])/.test(lines[end] ?? '');
    const endLine = isClosed ? end + 1 : end;
    return endLine < line ? [] : [{ name: found[1]!.slice(0, 100), startLine: index + 1, endLine }];
  }
  return [];
}
