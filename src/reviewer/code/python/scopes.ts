import type { Node } from 'web-tree-sitter';

const blocks =
  /^(?:if_statement|elif_clause|else_clause|try_statement|except_clause|finally_clause|with_statement|block|module)$/;

/** The named children of a node, without comments and line continuations. */
export function childrenOf(node: Node): Node[] {
  return node.namedChildren.filter((child) => child !== null && !child.isExtra) as Node[];
}

/** The statements of a block, with those inside `if`, `try` and `with`, which share its names. */
export function statementsOf(block: Node): Node[] {
  return childrenOf(block).flatMap((node) => (blocks.test(node.type) ? statementsOf(node) : [node]));
}

/** The names that an assignment to a target binds. */
export function namesOfTarget(target: Node | null): string[] {
  switch (target?.type) {
    case 'identifier':
      return [target.text];
    case 'pattern_list':
    case 'tuple_pattern':
    case 'list_pattern':
    case 'list_splat_pattern':
    case 'as_pattern_target':
    case 'parenthesized_expression':
      return childrenOf(target).flatMap(namesOfTarget);
    default:
      return [];
  }
}

const ownScopes =
  /^(?:function_definition|class_definition|lambda|(?:list|set|dictionary)_comprehension|generator_expression)$/;

/** The names that an import binds in the scope around it. */
export function namesImported(node: Node): string[] {
  if (!/^import(?:_from)?_statement$/.test(node.type)) return [];
  return childrenOf(node)
    .slice(node.type === 'import_from_statement' ? 1 : 0)
    .map((part) => (part.childForFieldName('alias') ?? part).text.split('.')[0]!);
}

/** The names that a node binds in the scope around it, except by an import. */
function namesSet(node: Node): string[] {
  switch (node.type) {
    case 'assignment':
    case 'augmented_assignment':
    case 'for_statement':
    case 'for_in_clause':
      return namesOfTarget(node.childForFieldName('left'));
    case 'named_expression':
      return namesOfTarget(node.childForFieldName('name'));
    case 'as_pattern':
      return namesOfTarget(node.childForFieldName('alias'));
    case 'function_definition':
    case 'class_definition':
      return [node.childForFieldName('name')!.text];
    default:
      return [];
  }
}

function namesFrom(names: (node: Node) => string[], node: Node): string[] {
  return childrenOf(node).flatMap((child) => [
    ...names(child),
    ...(ownScopes.test(child.type) ? [] : namesFrom(names, child)),
  ]);
}

/** All names that a module binds, also by loops, `with`, `:=`, patterns, `type`, and `global` in functions. */
export function namesBound(module: Node): { readonly name: string; readonly node: Node }[] {
  const inScope = (node: Node): { name: string; node: Node }[] =>
    childrenOf(node).flatMap((child) => [
      ...[...namesSet(child), ...namesMatched(child)].map((name) => ({ name, node: child })),
      ...(ownScopes.test(child.type) ? [] : inScope(child)),
    ]);
  const elsewhere = module
    .descendantsOfType('global_statement')
    .flatMap((node) => childrenOf(node!).map(({ text }) => ({ name: text, node: node! })));
  return [...inScope(module), ...elsewhere];
}

/** The names that a `case` captures, and the name in `type Name = …`. */
function namesMatched(node: Node): string[] {
  const name = (part: Node | undefined) => (part !== undefined && /^\w+$/.test(part.text) ? [part.text] : []);
  if (node.type === 'case_pattern' || node.type === 'splat_pattern') return childrenOf(node).flatMap(name);
  return node.type === 'type_alias_statement' ? name(childrenOf(node)[0]) : [];
}

function namesOfParameters(list: Node | null): string[] {
  if (list === null) return [];
  return childrenOf(list).flatMap((node) => {
    const named = node.childForFieldName('name') ?? (node.type === 'identifier' ? node : childrenOf(node)[0]);
    if (named === undefined) return [];
    return named.type === 'identifier' ? [named.text] : childrenOf(named).map(({ text }) => text);
  });
}

/**
 * The names that are declared for the inside of a node, with whether an import in it binds them; null if it is not a scope. A
 * class is not one, because its names are not visible in its methods.
 */
export function namesInside(node: Node): ReadonlyMap<string, boolean> | null {
  const set = (names: readonly string[]) => names.map((name) => [name, false] as const);
  switch (node.type) {
    case 'function_definition':
    case 'lambda': {
      const body = node.childForFieldName('body')!;
      const outer = new Set(
        body
          .descendantsOfType(['global_statement', 'nonlocal_statement'])
          .flatMap((each) => childrenOf(each!).map(({ text }) => text)),
      );
      const inBody = (names: (node: Node) => string[]) =>
        node.type === 'lambda' ? [] : namesFrom(names, body).filter((name) => !outer.has(name));
      return new Map([
        ...inBody(namesImported).map((name) => [name, true] as const),
        ...set([...namesOfParameters(node.childForFieldName('parameters')), ...inBody(namesSet)]),
      ]);
    }
    case 'list_comprehension':
    case 'set_comprehension':
    case 'dictionary_comprehension':
    case 'generator_expression':
      return new Map(set(childrenOf(node).flatMap(namesSet)));
    default:
      return null;
  }
}

/** Whether an identifier is a member, keyword or binding rather than a use of a variable. */
export function isOnlyName(node: Node, parent: Node): boolean {
  const isField = (name: string) => parent.childForFieldName(name)?.id === node.id;
  switch (parent.type) {
    case 'attribute':
      return isField('attribute');
    case 'keyword_argument':
    case 'function_definition':
    case 'class_definition':
    case 'default_parameter':
    case 'typed_default_parameter':
      return isField('name');
    case 'parameters':
    case 'lambda_parameters':
    case 'dotted_name':
    case 'aliased_import':
    case 'global_statement':
    case 'nonlocal_statement':
    case 'list_splat_pattern':
    case 'dictionary_splat_pattern':
    case 'pattern_list':
    case 'tuple_pattern':
    case 'as_pattern_target':
      return true;
    case 'typed_parameter':
      return childrenOf(parent)[0]?.id === node.id;
    case 'assignment':
    case 'for_statement':
    case 'for_in_clause':
      return isField('left');
    default:
      return false;
  }
}
