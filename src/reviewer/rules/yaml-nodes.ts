import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  visit,
} from 'yaml';

/** A YAML document as nodes with lines. Aliases are followed to their nodes, and never copied. */
export interface YamlDocument {
  readonly root: Node | undefined;
  lineOf(node: Node): number;
  /** The line of the key itself. */
  keyLineOf(node: Node | undefined, key: string): number | undefined;
  field(node: Node | undefined, key: string): Node | undefined;
  /** The node that a path of keys leads to. */
  at(node: Node | undefined, ...keys: string[]): Node | undefined;
  items(node: Node | undefined): Node[];
  /** The text of a scalar; undefined for anything else. */
  text(node: Node | undefined, key?: string): string | undefined;
}

/** Signs of a template, such as of Helm or Jinja, which is no YAML until it is filled in. */
const template = /\{\{|\{%|<%/;
/** Longer files are not written by hand, and parsing them would take seconds. */
const maxLength = 200_000;

/** Whether `readYaml` can parse a text. */
export function isReadableYaml(text: string): boolean {
  return text.trim() === '' || readYaml(text).length > 0;
}

/** The documents of a file; empty if it is a template, too long, nested too deeply, or no YAML. */
export function readYaml(text: string, { mayHaveBraces = false } = {}): YamlDocument[] {
  if (text.length > maxLength || (!mayHaveBraces && template.test(text))) return [];
  const lines = new LineCounter();
  try {
    const documents = parseAllDocuments(text, {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'silent',
      uniqueKeys: false,
    });
    return [...documents].filter(({ errors }) => errors.length === 0).map((each) => nodesOf(each, lines));
  } catch (error) {
    // The document is nested too deeply.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function nodesOf(document: Document, lines: LineCounter): YamlDocument {
  const targets = aliasesIn(document);
  const resolved = (node: unknown): Node | undefined => {
    if (isAlias(node)) return targets.get(node);
    return isNode(node) ? node : undefined;
  };
  const pairOf = (given: Node | undefined, key: string): Pair | undefined => {
    const node = resolved(given);
    if (!isMap(node)) return undefined;
    const own = (name: string) =>
      node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === name);
    const found = own(key);
    if (found !== undefined) return found;
    const merged = resolved(own('<<')?.value);
    return isMap(merged)
      ? merged.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key)
      : undefined;
  };
  const lineOf = (node: Node) => lines.linePos(node.range?.[0] ?? 0).line;
  const field = (node: Node | undefined, key: string) => resolved(pairOf(node, key)?.value);
  return {
    root: resolved(document.contents),
    lineOf,
    field,
    keyLineOf(node, key) {
      const pair = pairOf(node, key);
      return pair !== undefined && isNode(pair.key) ? lineOf(pair.key) : undefined;
    },
    at: (node, ...keys) => keys.reduce(field, node),
    items(given) {
      const node = resolved(given);
      return isSeq(node) ? node.items.map(resolved).filter((item) => item !== undefined) : [];
    },
    text(given, key) {
      const node = key === undefined ? resolved(given) : field(given, key);
      return isScalar(node) && node.value !== null ? String(node.value) : undefined;
    },
  };
}

/** The node that each alias refers to: the last one before it with that anchor. */
function aliasesIn(document: Document): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target !== undefined) targets.set(node, target);
      } else if ('anchor' in node && node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}
