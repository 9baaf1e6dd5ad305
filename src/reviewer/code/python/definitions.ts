import type { Node } from 'web-tree-sitter';
import type { Definition, Parameter } from '../code-facts.ts';
import { childrenOf, namesBound, namesOfTarget, statementsOf } from './scopes.ts';

/** Decorators that leave the parameters of a function as they are. */
const harmless =
  /^(?:staticmethod|classmethod|(?:abc\.)?abstractmethod|(?:functools\.)?(?:lru_cache|cache)|(?:typing\.)?(?:override|final|no_type_check)|(?:contextlib\.)?(?:async)?contextmanager)$/;

/** Decorators that return the class itself. */
const harmlessOfClass =
  /^(?:(?:dataclasses\.)?dataclass|(?:typing\.)?(?:final|runtime_checkable)|(?:functools\.)?total_ordering)$/;

const decoratorsOf = (node: Node): string[] =>
  node.type === 'decorated_definition'
    ? node.namedChildren
        .filter((child) => child?.type === 'decorator')
        .map((child) => child!.text.slice(1).replace(/\(.*/s, '').trim())
    : [];

/** The definitions of a module, also inside `if` and `try`, and the methods of its classes. */
export function readDefinitions(module: Node): Definition[] {
  const found: Definition[] = [];
  /** Classes whose calls do not simply call `__init__`. */
  const odd = new Set<string>();

  function add(name: string, kind: Definition['kind'], node: Node, more: Partial<Definition> = {}): void {
    const [startLine, endLine] = [node.startPosition.row + 1, node.endPosition.row + 1];
    found.push({ name, kind, startLine, endLine, isAsync: false, parameters: null, ...more });
  }

  function addFunction(name: string, kind: Definition['kind'], node: Node, definition: Node): void {
    const decorators = decoratorsOf(node);
    const isKnown = decorators.every((decorator) => harmless.test(decorator));
    // Parameters are those of a call through the class, `Cart.total(cart)`: with `self`, but without the `cls` of a classmethod.
    const isBound = kind === 'method' && decorators.includes('classmethod');
    const isPlain = kind === 'method' && !isBound && !decorators.includes('staticmethod');
    const parameters = isKnown ? parametersOf(definition.childForFieldName('parameters')!) : null;
    add(name, kind, node, {
      isAsync: definition.child(0)?.type === 'async',
      parameters: isBound ? (parameters?.slice(1) ?? null) : parameters,
      ...(isPlain ? { receiver: 'parameter' } : {}),
    });
  }

  /** Whether a metaclass, possibly an inherited one, decides what arguments a call of the class takes. */
  function isMadeOtherwise(definition: Node): boolean {
    const above = definition.childForFieldName('superclasses');
    if (above === null) return false;
    return childrenOf(above).some(
      ({ type, text }) =>
        (type === 'keyword_argument' && !/=\s*(?:abc\.)?ABCMeta$/.test(text)) ||
        (type === 'identifier' && odd.has(text)),
    );
  }

  function addClass(name: string, node: Node, definition: Node): void {
    const members = statementsOf(definition.childForFieldName('body')!).map(
      (member) => [member, member.childForFieldName('definition') ?? member] as const,
    );
    const methods = members.filter(([, inner]) => inner.type === 'function_definition');
    const named = ([, inner]: readonly [Node, Node]) => inner.childForFieldName('name')!.text;
    const makers = methods.filter((member) => named(member) === '__init__');
    const bases = definition.childForFieldName('superclasses');
    const hasBases = bases !== null && childrenOf(bases).some(({ text }) => text !== 'object');
    /** A call may return something other than an object of the class. */
    const isOther =
      methods.some((member) => named(member) === '__new__') ||
      isMadeOtherwise(definition) ||
      !decoratorsOf(node).every((decorator) => harmlessOfClass.test(decorator));
    const isOdd = isOther || node.type === 'decorated_definition';
    if (isOdd) odd.add(name);
    const made = makers.length === 1 ? parametersOf(makers[0]![1].childForFieldName('parameters')!) : null;
    const plain = makers.length === 0 && !hasBases ? [] : null;
    const inherits = hasBases || node.type === 'decorated_definition' || makesMembers.test(definition.text);
    add(name, 'class', node, {
      parameters: isOdd ? null : (made?.slice(1) ?? plain),
      fields: isOther ? ['*'] : fieldsOf(definition),
      ...(inherits ? { inherits } : {}),
    });
    for (const member of methods)
      if (named(member) !== '__init__')
        addFunction(`${name}.${named(member)}`, 'method', member[0], member[1]);
  }

  for (const node of statementsOf(module)) {
    const definition = node.childForFieldName('definition') ?? node;
    const name = definition.childForFieldName('name')?.text;
    if (definition.type === 'function_definition') addFunction(name!, 'function', node, definition);
    else if (definition.type === 'class_definition') addClass(name!, node, definition);
    else if (node.type === 'expression_statement') {
      const [assigned] = node.namedChildren;
      if (assigned?.type === 'assignment')
        for (const each of namesOfTarget(assigned.childForFieldName('left'))) add(each, 'value', node);
    }
  }
  const known = new Set(found.map(({ name }) => name));
  for (const { name, node } of namesBound(module)) {
    if (!known.has(name)) add(name, 'value', node);
    known.add(name);
  }
  return withoutDoubles(found);
}

/** Merges definitions with the same name: it is unknown which of them applies, so the parameters are unknown, too. */
function withoutDoubles(found: readonly Definition[]): Definition[] {
  return [...Map.groupBy(found, ({ name }) => name).values()].map((same) =>
    same.length === 1
      ? same[0]!
      : {
          ...same[0]!,
          parameters: null,
          isAsync: same.every(({ isAsync }) => isAsync),
          ...(same[0]!.kind === 'class' ? { inherits: true } : {}),
        },
  );
}

/** Code that creates members of objects at run time. */
const makesMembers = /\bdef __(?:getattr|getattribute|new)__\b|\bsetattr\(|\b__dict__\b|\bvars\(/;

/** The fields that the code of a class assigns, on the class or on its objects. */
function fieldsOf(definition: Node): string[] {
  const body = definition.childForFieldName('body')!;
  const own = namesBound(body).filter(({ node }) => node.type !== 'function_definition');
  const targets = body
    .descendantsOfType(['assignment', 'augmented_assignment', 'for_statement', 'as_pattern'])
    .flatMap((node) => [node!.childForFieldName('left'), node!.childForFieldName('alias')]);
  const set = targets.flatMap((target) =>
    target === null ? [] : [target, ...target.descendantsOfType('attribute')],
  );
  const named = set.flatMap((node) => node?.childForFieldName('attribute')?.text ?? []);
  return [...new Set([...own.map(({ name }) => name), ...named])];
}

export function parametersOf(list: Node): Parameter[] {
  const found: Parameter[] = [];
  let kind: Parameter['kind'] = 'any';
  for (const node of childrenOf(list)) {
    switch (node.type) {
      case 'positional_separator':
        found.splice(0, found.length, ...found.map((each) => ({ ...each, kind: 'positional' as const })));
        break;
      case 'keyword_separator':
        kind = 'keyword';
        break;
      default: {
        const inner = node.type === 'typed_parameter' ? node.namedChildren[0]! : node;
        const isList = inner.type === 'list_splat_pattern';
        const isNames = inner.type === 'dictionary_splat_pattern';
        const name =
          (node.childForFieldName('name') ?? (isList || isNames ? inner.namedChildren[0] : inner))?.text ??
          '';
        const isOptional = /default_parameter$/.test(node.type);
        found.push({
          name,
          isOptional,
          isRest: isList || isNames,
          kind: isNames ? 'keyword' : isList ? 'any' : kind,
          isNeeded: !isOptional,
        });
        if (isList) kind = 'keyword';
      }
    }
  }
  return found;
}
