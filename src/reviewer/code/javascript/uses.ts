import type { Use } from '../code-facts.ts';
import { resultOf, transparent, variableUses } from './results.ts';
import { isFunction, isOnlyName, namesInside } from './scopes.ts';
import type { Node, Syntax } from './syntax.ts';

/** The class of an object: a name at the top of the file, and the members accessed on it, as in `shop.Cart`. */
interface ClassName {
  readonly name: string;
  readonly members: readonly string[];
}

/** Reads the uses of names at the top of the file. A name that an inner scope shadows is not a use. */
export function readUses({ program, lineOf, childrenOf }: Syntax, isKnown: (name: string) => boolean): Use[] {
  const uses: Use[] = [];
  const isOnlyUsed = variableUses(childrenOf);
  const hidden = new Map<string, number>();
  const isTracked = (name: string) => isKnown(name) && !hidden.get(name);
  /** Constants and parameters that hold an object of a class; null if the name holds something else. */
  const objects = new Map<string, ClassName | null>();
  /** The classes among them that come from the declared types of parameters. */
  const parameters = new Set<ClassName>();
  const ofObjects: { readonly object: string; readonly use: Use }[] = [];
  /** Members that are assigned on objects from outside of the class, such as `cart.load`. */
  const replaced = new Set<string>();
  let thisClass: ClassName | null = null;

  function addUse(node: Node, around: readonly Node[]): void {
    const { members, last, index } = membersOf(node, around);
    const parent = around[index];
    const isNew = parent?.type === 'NewExpression' && parent.callee === last;
    const isCall = isNew || (parent?.type === 'CallExpression' && parent.callee === last);
    uses.push({
      name: node.name,
      members,
      line: lineOf(node.start),
      call: isCall ? argumentsOf(parent) : null,
      isNew,
      result: isCall ? resultOf(parent, around.slice(0, index), isOnlyUsed) : 'used',
    });
    if (isNew) addOf({ name: node.name, members }, 'instance', parent, around.slice(0, index));
  }

  /** Adds a use of a member on an object of a class. */
  function addOf(owner: ClassName, of: 'instance' | 'self', object: Node, around: readonly Node[]): void {
    const { members, last, index } = membersOf(object, around);
    const [member, ...deeper] = members;
    if (member === undefined) return;
    const parent = around[index];
    const isCall = deeper.length === 0 && parent?.type === 'CallExpression' && parent.callee === last;
    const use: Use = {
      name: owner.name,
      members: [...owner.members, member],
      of,
      line: lineOf(object.start),
      call: isCall ? argumentsOf(parent) : null,
      isNew: false,
      result: isCall ? resultOf(parent, around.slice(0, index), isOnlyUsed) : 'used',
    };
    ofObjects.push({ object: `${object.name ?? 'this'}.${member}`, use });
  }

  /** The class of `new shop.Cart()`; null for other values. */
  function classOf(value: Node): ClassName | null {
    const members: string[] = [];
    let node = value?.type === 'NewExpression' ? value.callee : null;
    for (; node?.type === 'MemberExpression' && !node.computed; node = node.object)
      members.unshift(node.property.name);
    return node?.type === 'Identifier' && isTracked(node.name) ? { name: node.name, members } : null;
  }

  function addObjects(statements: readonly Node[]): void {
    for (const statement of statements) {
      const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      if (node?.type !== 'VariableDeclaration' || node.kind !== 'const') continue;
      for (const { id, init } of node.declarations)
        if (id.type === 'Identifier' && id.typeAnnotation == null) objects.set(id.name, classOf(init));
    }
  }

  /** Remembers parameters whose declared type is a class; their objects may be of a subclass. */
  function addParameters(node: Node): void {
    for (const parameter of isFunction(node) ? node.params : []) {
      const type = parameter.typeAnnotation?.typeAnnotation;
      const owner = type?.type === 'TSTypeReference' ? pathOf(type.typeName) : null;
      if (parameter.type !== 'Identifier' || owner === null || !isTracked(owner.name)) continue;
      if (!mayBeRetyped(parameter.name, node.body, childrenOf)) {
        objects.set(parameter.name, owner);
        parameters.add(owner);
      }
    }
  }

  /** The class of `this` inside a node; null if it is unknown. */
  function thisInside(node: Node, around: readonly Node[]): ClassName | null {
    const isFunctionOfItsOwn = isFunction(node) && node.type !== 'ArrowFunctionExpression';
    const member = node.type === 'PropertyDefinition' ? node : isFunctionOfItsOwn ? around.at(-1) : null;
    if (member === null) return thisClass;
    const isMember = /^(?:Method|Property)Definition$/.test(member?.type) && !member.static;
    const name = isMember ? around.at(member === node ? -2 : -3)?.id?.name : undefined;
    return name !== undefined && isTracked(name) ? { name, members: [] } : null;
  }

  function lookAt(node: Node, around: Node[]): void {
    const parent = around.at(-1);
    if (node.type === 'ThisExpression' && thisClass !== null) addOf(thisClass, 'self', node, around);
    if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression')
      replaced.add(`${node.left.object.name}.${node.left.property.name}`);
    if (node.type !== 'Identifier' && node.type !== 'JSXIdentifier') return;
    if (parent === undefined || isOnlyName(node, parent, around.at(-2))) return;
    const isTag =
      node.type === 'Identifier' || /^[A-Z]/.test(node.name) || parent.type === 'JSXMemberExpression';
    if (isTracked(node.name) && isTag) addUse(node, around);
    const owner = objects.get(node.name);
    if (owner != null) addOf(owner, parameters.has(owner) ? 'self' : 'instance', node, around);
  }

  function walk(node: Node, around: Node[]): void {
    lookAt(node, around);
    if (node.type === 'JSXClosingElement') return;
    const isTop = around.length === 0;
    const inside = isTop ? null : namesInside(node, childrenOf);
    const outer = (inside ?? []).map((name) => [name, objects.get(name) ?? null] as const);
    for (const name of inside ?? []) {
      hidden.set(name, (hidden.get(name) ?? 0) + 1);
      objects.set(name, null);
    }
    if (isTop || inside !== null) addObjects(Array.isArray(node.body) ? node.body : []);
    addParameters(node);
    const outerClass = thisClass;
    thisClass = thisInside(node, around);
    around.push(node);
    for (const child of childrenOf(node)) walk(child, around);
    around.pop();
    thisClass = outerClass;
    for (const name of inside ?? []) hidden.set(name, hidden.get(name)! - 1);
    for (const [name, owner] of outer) objects.set(name, owner);
  }

  walk(program, []);
  return [...uses, ...ofObjects.filter(({ object }) => !replaced.has(object)).map(({ use }) => use)];
}

/** The members accessed on a node, the outermost node of that access, and the index of its parent in `around`. */
function membersOf(node: Node, around: readonly Node[]) {
  const members: string[] = [];
  let last = node;
  let index = around.length - 1;
  for (; index >= 0; index -= 1) {
    const parent = around[index];
    const isPlainMember =
      (parent.type === 'MemberExpression' || parent.type === 'JSXMemberExpression') &&
      parent.object === last &&
      !parent.computed;
    const isTypeMember = parent.type === 'TSQualifiedName' && parent.left === last;
    if (isPlainMember) members.push(parent.property.name);
    else if (isTypeMember) members.push(parent.right.name);
    else if (!transparent.has(parent.type)) break;
    last = parent;
  }
  return { members, last, index };
}

/** The names in a type such as `shop.Cart`; null for other types. */
function pathOf(type: Node): ClassName | null {
  const members: string[] = [];
  let node = type;
  for (; node?.type === 'TSQualifiedName'; node = node.left) members.unshift(node.right.name);
  return node?.type === 'Identifier' ? { name: node.name, members } : null;
}

/** Whether code reassigns a name, or narrows its type with `instanceof`, `in`, or a function such as `isCart`. */
function mayBeRetyped(name: string, node: Node, childrenOf: (node: Node) => Node[]): boolean {
  const is = (each: Node) => each?.type === 'Identifier' && each.name === name;
  const asked = node?.callee?.property?.name ?? node?.callee?.name;
  return (
    (node?.type === 'AssignmentExpression' && is(node.left)) ||
    (node?.type === 'BinaryExpression' &&
      /^(?:instanceof|in)$/.test(node.operator) &&
      (is(node.left) || is(node.right))) ||
    (node?.type === 'CallExpression' && /^(?:is|assert|ensure|has)/.test(asked) && node.arguments.some(is)) ||
    (node != null && childrenOf(node).some((child) => mayBeRetyped(name, child, childrenOf)))
  );
}

function argumentsOf(call: Node): Use['call'] {
  const given: Node[] = call.arguments;
  return {
    count: given.length,
    isOpen: given.some(({ type }) => type === 'SpreadElement'),
    keywords: [],
  };
}
