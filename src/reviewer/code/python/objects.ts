import type { Node } from 'web-tree-sitter';
import { childrenOf, namesBound, namesInside } from './scopes.ts';

/** The class of an object: a name in the module, and the members accessed on it, as in `shop.Cart`. */
export interface ClassName {
  readonly name: string;
  readonly members: readonly string[];
}

export interface ObjectName extends ClassName {
  /** `instance`: created by calling the class. `self`: may be of a subclass, as the object of a method or a typed parameter. */
  readonly of: 'instance' | 'self';
}

/** The names of a module or function that only ever hold an object of one class. */
export function objectsOf(scope: Node): ReadonlyMap<string, ObjectName> {
  const found = new Map<string, ObjectName>();
  const body = scope.type === 'module' ? scope : scope.childForFieldName('body')!;
  const bound = namesBound(body).map(({ name }) => name);
  const given = new Set(parameterNames(scope));
  const text = body.text;
  for (const assignment of assignmentsIn(body)) {
    const name = assignment.childForFieldName('left')!.text;
    const owner = classOf(assignment.childForFieldName('right'));
    const isOnly = bound.indexOf(name) === bound.lastIndexOf(name) && !given.has(name);
    // Its members may be assigned from outside of the class, and an inner function may reassign it.
    const isReplaced = new RegExp(`\\b${name}\\.\\w+\\s*=(?!=)|\\bnonlocal\\b[^\\n]*\\b${name}\\b`).test(
      text,
    );
    if (owner !== null && isOnly && !isReplaced) found.set(name, { ...owner, of: 'instance' });
  }
  // Code that tests the type of a parameter, as with `isinstance`, may use it as another type.
  for (const { name, owner } of typedParameters(scope))
    if (
      !bound.includes(name) &&
      !new RegExp(`\\b(?:is|has)\\w*\\(\\s*${name}\\b|\\b${name}\\.\\w+\\s*=(?!=)`).test(text)
    )
      found.set(name, { ...owner, of: 'self' });
  const self = selfOf(scope);
  if (self !== null && !bound.includes(self.name))
    found.set(self.name, { name: self.owner, members: [], of: 'self' });
  return found;
}

/** Assignments to a single name, without those inside inner functions and classes. */
function assignmentsIn(node: Node): Node[] {
  return childrenOf(node).flatMap((child) => {
    if (namesInside(child) !== null || child.type === 'class_definition') return [];
    if (child.type !== 'assignment') return assignmentsIn(child);
    return child.childForFieldName('left')?.type === 'identifier' ? [child] : [];
  });
}

function parameterNames(scope: Node): string[] {
  const list = scope.childForFieldName('parameters');
  return list === null || scope.type === 'module'
    ? []
    : list.descendantsOfType('identifier').map((each) => each!.text);
}

/** Parameters whose type is a class: `cart: Cart`, `cart: shop.Cart`. */
function typedParameters(scope: Node): { readonly name: string; readonly owner: ClassName }[] {
  const list = scope.type === 'module' ? null : scope.childForFieldName('parameters');
  return (list === null ? [] : childrenOf(list)).flatMap((node) => {
    const name = node.childForFieldName('name') ?? node.namedChildren[0];
    const owner = pathOf(node.childForFieldName('type')?.namedChildren[0] ?? null);
    if (!/^typed_(?:default_)?parameter$/.test(node.type) || name?.type !== 'identifier') return [];
    return owner === null ? [] : [{ name: name.text, owner }];
  });
}

/** The class of `shop.Cart()`; null for other values. */
function classOf(value: Node | null): ClassName | null {
  return pathOf(value?.type === 'call' ? value.childForFieldName('function') : null);
}

function pathOf(named: Node | null): ClassName | null {
  const members: string[] = [];
  let node = named;
  for (; node?.type === 'attribute'; node = node.childForFieldName('object'))
    members.unshift(node.childForFieldName('attribute')!.text);
  return node?.type === 'identifier' ? { name: node.text, members } : null;
}

/** The name of the `self` parameter of a method, and its class; null if the scope is not a method of a top-level class. */
function selfOf(scope: Node): { readonly name: string; readonly owner: string } | null {
  if (scope.type !== 'function_definition') return null;
  const isDecorated = scope.parent?.type === 'decorated_definition';
  const around = isDecorated ? scope.parent!.parent : scope.parent;
  const owner = around?.type === 'block' ? around.parent : null;
  if (owner?.type !== 'class_definition') return null;
  const outer = owner.parent?.type === 'decorated_definition' ? owner.parent.parent : owner.parent;
  if (outer?.type !== 'module' || (isDecorated && /@(?:staticmethod|classmethod)\b/.test(scope.parent!.text)))
    return null;
  const [first] = childrenOf(scope.childForFieldName('parameters')!);
  return first?.type === 'identifier'
    ? { name: first.text, owner: owner.childForFieldName('name')!.text }
    : null;
}
