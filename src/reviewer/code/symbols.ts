import { createRequire } from 'node:module';
import path from 'node:path';
import type { Node, Point, Tree, Parser as TreeSitterParser } from 'web-tree-sitter';
import { threadMs } from '../../lib/concurrency/thread-time.ts';
import { isPackaged } from '../../lib/own-files.ts';

/** The tree-sitter grammars by file extension. */
const grammars: readonly (readonly [RegExp, string])[] = [
  [/\.(?:[cm]?js|jsx)$/, 'javascript'],
  [/\.[cm]?ts$/, 'typescript'],
  [/\.tsx$/, 'tsx'],
  [/\.pyi?$/, 'python'],
  [/\.go$/, 'go'],
  [/\.java$/, 'java'],
  [/\.kts?$/, 'kotlin'],
  [/\.rs$/, 'rust'],
  [/\.rb$/, 'ruby'],
  [/\.php$/, 'php'],
  [/\.cs$/, 'c-sharp'],
  [/\.(?:c|cc|cpp|cxx|h|hh|hpp)$/, 'cpp'],
  [/\.(?:sh|bash)$/, 'bash'],
];

export const declaration =
  /^(?:function|method|class|interface|struct|enum|impl|trait|module|namespace|object|type|constructor)\w*_?(?:definition|declaration|item|specifier|statement)?$/;
const parseMs = 1_000;
/** Real code is not nested deeper. */
const maxDepth = 500;

const require = createRequire(import.meta.url);
// The released package contains a copy of this file only: the npm package with it has 44 MB of sources and programs.
const kotlin = '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm';

function wasm(name: string): string {
  if (name === 'kotlin') return require.resolve(isPackaged ? './tree-sitter-kotlin.wasm' : kotlin);
  const folder = path.dirname(require.resolve('@vscode/tree-sitter-wasm/package.json'));
  return path.join(folder, 'wasm', `tree-sitter-${name}.wasm`);
}

type TreeSitter = typeof import('web-tree-sitter');
let library: Promise<TreeSitter> | undefined;
const parsers = new Map<string, Promise<TreeSitterParser>>();

async function load(): Promise<TreeSitter> {
  const loaded = await import('web-tree-sitter');
  await loaded.Parser.init();
  return loaded;
}

async function makeParser(grammar: string): Promise<TreeSitterParser> {
  library ??= load();
  const { Language, Parser } = await library;
  const parser = new Parser();
  parser.setLanguage(await Language.load(wasm(grammar)));
  return parser;
}

/** A parser for the language of a file, by its name; undefined if there is no grammar for it. */
export async function parserFor(name: string): Promise<TreeSitterParser | undefined> {
  const grammar = grammars.find(([ending]) => ending.test(name))?.[1];
  if (grammar === undefined) return undefined;
  if (!parsers.has(grammar)) parsers.set(grammar, makeParser(grammar));
  return parsers.get(grammar)!;
}

/** The syntax tree of a text, which the caller must delete; undefined without a grammar, or if parsing takes too long. */
export async function parseTree(name: string, text: string): Promise<Tree | undefined> {
  const parser = await parserFor(name);
  if (parser === undefined) return undefined;
  const end = threadMs() + parseMs;
  const tree = parser.parse(text, null, { progressCallback: () => threadMs() > end });
  if (tree === null) parser.reset();
  return tree ?? undefined;
}

/** Returns the name of the function or class around a line, such as `Parser.next`; null if there is none. */
export type SymbolFinder = (line: number) => string | null;

/** Parses the text once; the result must be closed. Without a grammar, or if parsing takes too long, indentation decides. */
export async function findSymbols(name: string, text: string): Promise<{ at: SymbolFinder; close(): void }> {
  const lines = text.split('\n');
  const byLines = { at: (line: number) => symbolByIndentation(lines, line), close: () => {} };
  const tree = await parseTree(name, text);
  if (tree === undefined) return byLines;
  return {
    at(line) {
      const column = Math.max(lines[line - 1]?.search(/\S/) ?? 0, 0);
      return symbolAround(tree.rootNode, { row: line - 1, column });
    },
    close: () => tree.delete(),
  };
}

/** Goes down from the root, since a node finds its parent only by looking for itself from there. */
function symbolAround(root: Node, position: Point): string | null {
  const innermost = root.descendantForPosition(position);
  const names: string[] = [];
  let node: Node | null = root;
  for (let depth = 0; node !== null && depth < maxDepth; depth += 1) {
    const named = nameOf(node);
    if (named !== undefined) names.push(named);
    node = innermost === null ? null : node.childWithDescendant(innermost);
  }
  return names.length === 0 ? null : names.join('.');
}

export function nameOf(node: Node): string | undefined {
  if (declaration.test(node.type)) return node.childForFieldName('name')?.text.slice(0, 100);
  // const name = () => …, and members that hold functions.
  const value = node.childForFieldName('value');
  if (value === null || !/function|class|closure|lambda/.test(value.type)) return undefined;
  return (node.childForFieldName('name') ?? node.childForFieldName('key'))?.text.slice(0, 100);
}

const header =
  /^(\s*)(?:[\w@<>[\], ]*\s)?(?:def|class|fn|func|fun|function|sub|module|interface|struct|impl|trait|object|proc)\s+([\w.:$]+)/;

/** The nearest line above with less indentation that looks like the beginning of a function or class. */
function symbolByIndentation(lines: readonly string[], line: number): string | null {
  const last = Math.min(line, lines.length);
  let indentation = lines[last - 1]?.search(/\S/) ?? -1;
  if (indentation === -1) indentation = Number.POSITIVE_INFINITY;
  for (let index = last - 1; index >= 0; index -= 1) {
    const found = header.exec(lines[index]!.slice(0, 500));
    if (found !== null && found[1]!.length <= indentation) return found[2]!.slice(0, 100);
  }
  return null;
}
