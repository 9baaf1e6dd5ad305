import type { Node } from 'web-tree-sitter';
import type { CallArguments, Use } from '../code-facts.ts';

/** Identifiers that Go itself declares, and special ones that never refer to a definition. */
const predeclared = new Set(
  'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex copy delete imag len make max min new panic print println real recover _ init main'.split(
    ' ',
  ),
);

const childrenOf = (node: Node): Node[] => node.namedChildren.filter((child) => child !== null);
const lineOf = (node: Node) => node.startPosition.row + 1;

/** The type of a variable: its name, or the name of its package and its name there. */
type TypeName = readonly [name: string, ...members: string[]];

const declarationsInside = [
  'parameter_declaration',
  'variadic_parameter_declaration',
  'type_parameter_declaration',
  'short_var_declaration',
  'range_clause',
  'receive_statement',
  'var_spec',
  'const_spec',
  'type_spec',
  'type_switch_statement',
];

/**
 * All names that a function declares, including its receiver, with their types; null if the type is not evident, or the name
 * is declared more than once.
 */
function namesInside(declaration: Node): ReadonlyMap<string, TypeName | null> {
  const names = new Map<string, TypeName | null>();
  const add = (name: string, type: TypeName | null) => names.set(name, names.has(name) ? null : type);
  for (const node of declaration.descendantsOfType(declarationsInside)) {
    const type = typeOf(node!);
    for (const name of node!.childrenForFieldName('name')) add(name!.text, type);
    for (const side of [node!.childForFieldName('left'), node!.childForFieldName('alias')])
      for (const name of side?.descendantsOfType('identifier') ?? []) add(name!.text, type);
  }
  return names;
}

/** The type in `t T`, `t *T`, `var t T`, `t := T{}`, `t := &T{}`, `t := new(T)`; null for other declarations. */
function typeOf(declaration: Node): TypeName | null {
  if (/^(?:parameter_declaration|var_spec)$/.test(declaration.type))
    return nameOfType(declaration.childForFieldName('type'));
  const isOne = declaration.childForFieldName('left')?.namedChildCount === 1;
  if (declaration.type !== 'short_var_declaration' || !isOne) return null;
  let value = declaration.childForFieldName('right')?.namedChildren[0] ?? null;
  if (value?.type === 'unary_expression' && value.text.startsWith('&'))
    value = value.childForFieldName('operand');
  if (value?.type === 'call_expression' && value.childForFieldName('function')?.text === 'new')
    return nameOfType(value.childForFieldName('arguments')?.namedChildren[0] ?? null);
  return value?.type === 'composite_literal' ? nameOfType(value.childForFieldName('type')) : null;
}

function nameOfType(type: Node | null): TypeName | null {
  const inner = type?.type === 'pointer_type' ? type.namedChildren[0]! : type;
  if (inner?.type === 'type_identifier') return [inner.text];
  if (inner?.type !== 'qualified_type') return null;
  return [inner.childForFieldName('package')!.text, inner.childForFieldName('name')!.text];
}

/** Reads the uses of names of the package and of imports, and of members of variables whose type is evident. */
export function readUses(file: Node): Use[] {
  const uses: Use[] = [];
  let inside: ReadonlyMap<string, TypeName | null> = new Map();

  function add(node: Node, last: Node, use: Pick<Use, 'name' | 'members' | 'of'>): void {
    uses.push({
      ...use,
      line: lineOf(node),
      call: callOf(last),
      isNew: false,
      result: 'passed_on',
    });
  }

  /** The member that is accessed on a name, of a package or a value; null if there is none. */
  function selectorOf(node: Node): { readonly member: string; readonly selector: Node } | null {
    const { parent } = node;
    const isAsked =
      (parent?.type === 'selector_expression' && parent.childForFieldName('operand')?.id === node.id) ||
      (parent?.type === 'qualified_type' && parent.childForFieldName('package')?.id === node.id);
    if (!isAsked) return null;
    return {
      member: (parent.childForFieldName('field') ?? parent.childForFieldName('name'))!.text,
      selector: parent,
    };
  }

  function addUse(node: Node): void {
    const asked = selectorOf(node);
    if (asked === null) add(node, node, { name: node.text, members: [] });
    else add(node, asked.selector, { name: node.text, members: [asked.member] });
  }

  function addOf(node: Node, [name, ...members]: TypeName): void {
    const asked = selectorOf(node);
    if (asked !== null && !inside.has(name))
      add(node, asked.selector, { name, members: [...members, asked.member], of: 'instance' });
  }

  function lookAt(node: Node): void {
    const isDeclared =
      node.parent?.childrenForFieldName('name').some((name) => name?.id === node.id) ?? false;
    const isPart =
      node.parent?.type === 'qualified_type' && node.parent.childForFieldName('name')?.id === node.id;
    if (isDeclared || isPart || predeclared.has(node.text)) return;
    const type = inside.get(node.text);
    if (type === undefined) addUse(node);
    else if (type !== null) addOf(node, type);
  }

  function walk(node: Node): void {
    if (/^(?:import_declaration|package_clause)$/.test(node.type)) return;
    if (/^(?:identifier|type_identifier|package_identifier)$/.test(node.type)) {
      lookAt(node);
      return;
    }
    const outer = inside;
    if (/^(?:function|method)_declaration$/.test(node.type)) inside = namesInside(node);
    for (const child of childrenOf(node)) {
      // The key of a field in a struct literal is not a name of the package.
      const isKey =
        node.type === 'keyed_element' &&
        child.id === node.namedChildren[0]?.id &&
        child.namedChildCount === 1;
      if (!isKey) walk(child);
    }
    inside = outer;
  }

  walk(file);
  return uses;
}

/** The arguments of a call; null if it is not one. With a type argument, the parser returns other kinds of nodes for a call. */
function callOf(named: Node): CallArguments | null {
  const isGeneric = /^(?:type_instantiation_expression|index_expression|generic_type)$/.test(
    named.parent?.type ?? '',
  );
  const callee = isGeneric && named.parent!.namedChildren[0]?.id === named.id ? named.parent! : named;
  const { parent } = callee;
  if (parent?.type === 'type_conversion_expression' && callee.type === 'generic_type')
    return argumentsOf([parent.childForFieldName('operand')!]);
  if (parent?.type !== 'call_expression' || parent.childForFieldName('function')?.id !== callee.id)
    return null;
  return argumentsOf(childrenOf(parent.childForFieldName('arguments')!));
}

function argumentsOf(nodes: readonly Node[]): CallArguments {
  const given = nodes.filter(({ type }) => type !== 'comment');
  // `f(g())` passes as many arguments as `g` returns values.
  const isOpen =
    given.some(({ type }) => type === 'variadic_argument') ||
    (given.length === 1 && given[0]!.type === 'call_expression');
  return { count: given.length, isOpen, keywords: [] };
}
