import type { Definition, Parameter } from '../code-facts.ts';
import { isReadUnchecked } from './needed-parameters.ts';
import { returnsPlainly } from './results.ts';
import { isFunction, namesOfPattern } from './scopes.ts';
import type { Node, Syntax } from './syntax.ts';

/** Builds a definition for a node. `callable` is the function that calls of the name run; null if there is none. */
export function definitionOf(
  { lineOf, childrenOf }: Syntax,
  name: string,
  kind: Definition['kind'],
  around: Node,
  callable: Node | null,
): Definition {
  const isAsync = callable?.async === true || isPromise(callable?.returnType);
  return {
    name,
    kind,
    startLine: lineOf(around.start),
    endLine: lineOf(around.end),
    isAsync,
    ...(callable !== null && !isAsync && !returnsPlainly(callable, childrenOf) ? { mayBeAsync: true } : {}),
    parameters: callable === null ? null : parametersOf(callable, childrenOf),
  };
}

/** The definitions at the top of a file, and the methods of its classes. */
export function readDefinitions(syntax: Syntax): Definition[] {
  const found: Definition[] = [];

  function add(name: string, kind: Definition['kind'], around: Node, callable: Node | null): void {
    found.push(definitionOf(syntax, name, kind, around, callable));
  }

  function addClass(name: string, node: Node, around: Node): void {
    const methods: Node[] = node.body.body.filter(
      (member: Node) => /^(?:MethodDefinition|PropertyDefinition)$/.test(member.type) && !member.computed,
    );
    const constructors = methods.filter(({ kind }) => kind === 'constructor');
    // The parameters of overloaded and of inherited constructors are unknown.
    const made = constructors.length === 1 ? constructors[0].value : null;
    const isPlain = constructors.length === 0 && node.superClass === null;
    add(name, 'class', around, isPlain ? { params: [], async: false, body: null } : made);
    const { fields, isOpen } = fieldsOf(node, syntax.childrenOf);
    const inherits = node.superClass !== null || isOpen;
    found.push({ ...found.pop()!, fields, ...(inherits ? { inherits } : {}) });
    for (const member of methods) {
      if (member.kind === 'constructor' || member.key.name === undefined) continue;
      const isMethod =
        member.type === 'MethodDefinition'
          ? member.kind === 'method'
          : member.value !== null && isFunction(member.value);
      // A decorator may replace the function, and a declared type may accept other arguments.
      const isAsWritten = isMethod && (member.decorators ?? []).length === 0 && member.typeAnnotation == null;
      add(`${name}.${member.key.name}`, 'method', member, isAsWritten ? member.value : null);
      if (!member.static) found.push({ ...found.pop()!, receiver: 'object' });
    }
  }

  function addDeclaration(node: Node, around: Node, fallbackName: string | undefined): void {
    const name: string | undefined = node?.id?.name ?? fallbackName;
    switch (node?.type) {
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
        if (name !== undefined) add(name, 'function', around, node);
        break;
      case 'ClassDeclaration':
        if (name !== undefined) addClass(name, node, around);
        break;
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSModuleDeclaration':
        if (name !== undefined) add(name, 'type', around, null);
        break;
      case 'TSEnumDeclaration':
        add(node.id.name, 'value', around, null);
        break;
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) {
          const isNamed = id.type === 'Identifier';
          // A declared type may accept other arguments than the assigned function, and so may a function that is assigned later.
          const isSure = id.typeAnnotation == null && node.kind !== 'let';
          if (isNamed && init !== null && isFunction(init))
            add(id.name, 'function', around, isSure ? init : null);
          else if (isNamed && init?.type === 'ClassExpression') addClass(id.name, init, around);
          else for (const each of namesOfPattern(id)) add(each, 'value', around, null);
        }
        break;
      default:
        if (fallbackName !== undefined && node !== null && isFunction(node))
          add(fallbackName, 'function', around, node);
    }
  }

  for (const statement of syntax.program.body) {
    if (statement.type === 'ExportNamedDeclaration')
      addDeclaration(statement.declaration, statement, undefined);
    else if (statement.type === 'ExportDefaultDeclaration')
      addDeclaration(statement.declaration, statement, 'default');
    else addDeclaration(statement, statement, undefined);
  }
  return withoutOverloads(found);
}

/** Merges definitions with the same name: with several signatures, the parameters are unknown. */
function withoutOverloads(found: readonly Definition[]): Definition[] {
  const byName = Map.groupBy(found, ({ name }) => name);
  return [...byName.values()].map((same) =>
    same.length === 1
      ? same[0]!
      : {
          ...same[0]!,
          endLine: same.at(-1)!.endLine,
          isAsync: same.every(({ isAsync }) => isAsync),
          parameters: null,
          // An interface or namespace of the same name may add members.
          ...(same[0]!.kind === 'class' ? { inherits: true } : {}),
        },
  );
}

/** The fields that a class assigns on its objects, and whether other code may assign more (`isOpen`). */
function fieldsOf(node: Node, childrenOf: Syntax['childrenOf']): { fields: string[]; isOpen: boolean } {
  const fields = new Set<string>();
  let isOpen = (node.decorators ?? []).length > 0;
  function search(inner: Node): void {
    if (inner.type === 'TSParameterProperty')
      for (const name of namesOfPattern(inner.parameter)) fields.add(name);
    const { left } = inner;
    if (inner.type === 'AssignmentExpression' && left.type === 'MemberExpression')
      if (left.object.type === 'ThisExpression') {
        if (left.computed) isOpen = true;
        else fields.add(left.property.name);
      }
    const isShared =
      /^(?:Call|New)Expression$/.test(inner.type) &&
      !/^(?:call|apply|bind)$/.test(inner.callee.property?.name);
    if (isShared && inner.arguments.some(({ type }: Node) => type === 'ThisExpression')) isOpen = true;
    for (const child of childrenOf(inner)) search(child);
  }
  search(node.body);
  return { fields: [...fields], isOpen };
}

function isPromise(returnType: Node): boolean {
  return returnType?.typeAnnotation?.typeName?.name === 'Promise';
}

function parametersOf(callable: Node, childrenOf: Syntax['childrenOf']): Parameter[] | null {
  const given: Node[] = callable.params;
  if (callable.body !== null && usesArguments(callable.body, childrenOf)) return null;
  const names = given.flatMap(namesOfPattern);
  const parameters = given
    .map((node) => (node.type === 'TSParameterProperty' ? node.parameter : node))
    .filter((node) => node.name !== 'this');
  // TypeScript lets callers omit trailing parameters that accept `void`.
  const firstVoid = 1 + parameters.findLastIndex((node) => !takesVoid(node.typeAnnotation?.typeAnnotation));
  return parameters.map((node, index): Parameter => {
    const isRest = node.type === 'RestElement';
    const isOptional =
      isRest || node.type === 'AssignmentPattern' || node.optional === true || index >= firstVoid;
    const name = namesOfPattern(node)[0] ?? '';
    return {
      name: node.type === 'Identifier' ? node.name : name,
      isOptional,
      isRest,
      kind: 'any',
      // Destructuring fails at once for undefined; a plain parameter fails only if it is read without a check.
      isNeeded:
        !isOptional &&
        (node.type !== 'Identifier' || isReadUnchecked(node.name, names, callable.body, childrenOf)),
    };
  });
}

function takesVoid(type: Node): boolean {
  if (type?.type === 'TSUnionType') return type.types.some(takesVoid);
  return type?.type === 'TSVoidKeyword';
}

function usesArguments(node: Node, childrenOf: Syntax['childrenOf']): boolean {
  if (node.type === 'Identifier') return node.name === 'arguments';
  return childrenOf(node).some(
    (child) =>
      !(isFunction(child) && child.type !== 'ArrowFunctionExpression') && usesArguments(child, childrenOf),
  );
}
