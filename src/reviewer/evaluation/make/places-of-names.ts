import type { Node } from 'web-tree-sitter';
import type { CallArguments } from '../../code/code-facts.ts';
import { parseTree } from '../../code/symbols.ts';

/** An occurrence of a name in code, not in a comment or string. */
export interface Identifier {
  readonly line: number;
  /** The arguments that it is called with; null if it is not called. */
  readonly call: CallArguments | null;
  readonly isAwaited: boolean;
}

const types = [
  'identifier',
  'property_identifier',
  'shorthand_property_identifier',
  'shorthand_property_identifier_pattern',
  'type_identifier',
  'field_identifier',
  'package_identifier',
];
const calls = /^call(?:_expression)?$/;
const members = /^(?:member_expression|attribute|selector_expression)$/;

/** The occurrences of a name in a text, by syntax alone; undefined if there is no grammar, or parsing takes too long. */
export async function findIdentifiers(
  path: string,
  text: string,
  name: string,
): Promise<Identifier[] | undefined> {
  if (!text.includes(name)) return [];
  const tree = await parseTree(path, text);
  if (tree === undefined) return undefined;
  try {
    return tree.rootNode
      .descendantsOfType(types)
      .filter((node) => node !== null && node.text === name)
      .map((node) => describe(node!));
  } finally {
    tree.delete();
  }
}

function describe(node: Node): Identifier {
  const line = node.startPosition.row + 1;
  let [called, parent] = [node, node.parent];
  if (parent !== null && members.test(parent.type) && parent.lastNamedChild?.id === node.id)
    [called, parent] = [parent, parent.parent];
  const isCall =
    parent !== null &&
    calls.test(parent.type) &&
    parent.childForFieldName('function')?.id === called.id &&
    parent.childForFieldName('arguments') !== null;
  if (!isCall) return { line, call: null, isAwaited: false };
  return {
    line,
    call: argumentsOf(parent!.childForFieldName('arguments')!),
    isAwaited: /^await/.test(parent!.parent?.type ?? ''),
  };
}

function argumentsOf(list: Node): CallArguments {
  const given = list.namedChildren.filter((each) => each !== null && !each.isExtra) as Node[];
  const keywords = given.filter(({ type }) => type === 'keyword_argument');
  const open = given.filter(({ type }) => /splat|spread|variadic/.test(type));
  return {
    count: given.length - keywords.length - open.length,
    isOpen: open.length > 0 || list.type === 'generator_expression' || /\.\.\.\s*\)$/.test(list.text),
    keywords: keywords.map((each) => each.childForFieldName('name')!.text),
  };
}
