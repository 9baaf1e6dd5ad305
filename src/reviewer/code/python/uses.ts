import type { Node } from 'web-tree-sitter';
import type { CallArguments, Use } from '../code-facts.ts';
import { type ClassName, type ObjectName, objectsOf } from './objects.ts';
import { resultOf, variableUses } from './results.ts';
import { childrenOf, isOnlyName, namesInside } from './scopes.ts';

function argumentsOf(list: Node | null): CallArguments {
  if (list === null || list.type !== 'argument_list') return { count: 0, isOpen: true, keywords: [] };
  const given = childrenOf(list).filter(({ type }) => type !== 'comment');
  const isSplat = ({ type }: Node) => type === 'list_splat' || type === 'dictionary_splat';
  const named = given.filter(({ type }) => type === 'keyword_argument');
  return {
    count: given.length - named.length - given.filter(isSplat).length,
    isOpen: given.some(isSplat),
    keywords: named.map((each) => each.childForFieldName('name')!.text),
  };
}

/** Reads the uses of names of the module, and of imports in functions. A name that a function binds otherwise is not a use. */
export function readUses(module: Node, isKnown: (name: string) => boolean): Use[] {
  const uses: Use[] = [];
  const isOnlyUsed = variableUses(module);
  const scopes: ReadonlyMap<string, boolean>[] = [];
  /** Names that hold an object of a class, by scope. */
  const objects: ReadonlyMap<string, ObjectName>[] = [objectsOf(module)];
  const isTracked = (name: string) => scopes.findLast((scope) => scope.has(name))?.get(name) ?? isKnown(name);

  /** The members accessed on a node, and the outermost node of that access. */
  function membersOf(node: Node): { members: string[]; last: Node } {
    const members: string[] = [];
    let last = node;
    for (
      let parent = node.parent;
      parent?.type === 'attribute' && parent.childForFieldName('object')?.id === last.id;
      parent = parent.parent
    ) {
      members.push(parent.childForFieldName('attribute')!.text);
      last = parent;
    }
    return { members, last };
  }

  const callOf = ({ parent, id }: Node): Node | null =>
    parent?.type === 'call' && parent.childForFieldName('function')?.id === id ? parent : null;

  function add(node: Node, call: Node | null, use: Pick<Use, 'name' | 'members' | 'of'>): void {
    uses.push({
      ...use,
      line: node.startPosition.row + 1,
      call: call === null ? null : argumentsOf(call.childForFieldName('arguments')),
      isNew: false,
      result: call === null ? 'used' : resultOf(call, isOnlyUsed),
    });
  }

  function addUse(node: Node): void {
    const { members, last } = membersOf(node);
    const call = callOf(last);
    add(node, call, { name: node.text, members });
    if (call !== null) addOf(call, { name: node.text, members }, 'instance');
  }

  /** Adds a use of a member on an object of a class. */
  function addOf(object: Node, { name, members: path }: ClassName, of: 'instance' | 'self'): void {
    const { members, last } = membersOf(object);
    const [member, ...deeper] = members;
    if (member !== undefined)
      add(object, deeper.length === 0 ? callOf(last) : null, { name, members: [...path, member], of });
  }

  function lookAt(node: Node): void {
    if (isOnlyName(node, node.parent!)) return;
    if (isTracked(node.text)) addUse(node);
    const depth = scopes.findLastIndex((scope) => scope.has(node.text)) + 1;
    const object = objects[depth]?.get(node.text);
    if (object !== undefined && isTracked(object.name)) addOf(node, object, object.of);
  }

  function walk(node: Node): void {
    if (/^(?:import_statement|import_from_statement)$/.test(node.type)) return;
    if (node.type === 'identifier' && node.parent !== null) {
      lookAt(node);
      return;
    }
    const inside = namesInside(node);
    if (inside !== null) {
      scopes.push(inside);
      objects.push(node.type === 'function_definition' ? objectsOf(node) : new Map());
    }
    for (const child of childrenOf(node)) walk(child);
    if (inside !== null) {
      scopes.pop();
      objects.pop();
    }
  }

  walk(module);
  return uses;
}
