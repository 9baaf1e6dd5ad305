import type { Node } from 'web-tree-sitter';
import type { CallArguments, ResultUse, Use } from '../code-facts.ts';
import { childrenOf, namesInside } from './scopes.ts';

/** Places where an identifier is a name of something else, not a use. */
function isOnlyName(node: Node, parent: Node): boolean {
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

/** Whether a variable serves as the value itself wherever it is used, and is waited for nowhere. */
type IsOnlyUsed = (variable: Node) => boolean;

/** What becomes of a value. */
function resultOf(value: Node, isOnlyUsed: IsOnlyUsed = () => false): ResultUse {
  let node = value;
  for (let parent = value.parent; parent !== null; parent = parent.parent) {
    switch (parent.type) {
      case 'await':
        return 'awaited';
      case 'parenthesized_expression':
      case 'conditional_expression':
        break;
      case 'expression_statement':
        return 'dropped';
      case 'assignment':
        return resultInto(parent.childForFieldName('left')!, isOnlyUsed);
      case 'with_item':
      case 'for_statement':
      case 'for_in_clause':
        return isAsync(parent) ? 'awaited' : 'used';
      case 'attribute':
      case 'subscript':
      case 'binary_operator':
      case 'boolean_operator':
      case 'comparison_operator':
      case 'not_operator':
      case 'if_statement':
      case 'while_statement':
      case 'interpolation':
      case 'augmented_assignment':
      case 'list_splat':
        return 'used';
      default:
        return 'handed_on';
    }
    node = parent;
  }
  return node === value ? 'dropped' : 'handed_on';
}

function resultInto(target: Node, isOnlyUsed: IsOnlyUsed): ResultUse {
  if (target.type === 'identifier') return isOnlyUsed(target) ? 'used' : 'stored';
  return target.type === 'attribute' ? 'stored' : 'used';
}

interface Variable {
  settings: number;
  readonly results: ResultUse[];
}

/** Looks at the variables of each function, or of the whole module, once. */
function variableUses(module: Node): IsOnlyUsed {
  const known = new Map<number, ReadonlyMap<string, Variable>>();
  return (variable) => {
    let scope = variable.parent;
    while (scope !== null && scope.type !== 'function_definition') scope = scope.parent;
    const around = scope ?? module;
    const variables = known.get(around.id) ?? variablesIn(around);
    known.set(around.id, variables);
    const { settings = 0, results = [] } = variables.get(variable.text) ?? {};
    return settings === 1 && results.length > 0 && results.every((result) => result === 'used');
  };
}

function variablesIn(scope: Node): ReadonlyMap<string, Variable> {
  const variables = new Map<string, Variable>();
  for (const node of scope.descendantsOfType('identifier')) {
    const parent = node?.parent;
    if (node == null || parent == null) continue;
    const variable = variables.get(node.text) ?? { settings: 0, results: [] };
    variables.set(node.text, variable);
    if (!isOnlyName(node, parent)) variable.results.push(resultOf(node));
    else if (parent.type !== 'attribute' && parent.type !== 'keyword_argument') variable.settings += 1;
  }
  return variables;
}

function isAsync(node: Node): boolean {
  for (let parent: Node | null = node; parent !== null; parent = parent.parent) {
    if (parent.child(0)?.type === 'async') return true;
    if (/_statement$/.test(parent.type)) return false;
  }
  return false;
}

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

/** Uses of names of the module, and of what functions import. A name that a function sets otherwise is another thing. */
export function readUses(module: Node, isKnown: (name: string) => boolean): Use[] {
  const uses: Use[] = [];
  const isOnlyUsed = variableUses(module);
  const scopes: ReadonlyMap<string, boolean>[] = [];
  const isMeant = (name: string) => scopes.findLast((scope) => scope.has(name))?.get(name) ?? isKnown(name);

  function addUse(node: Node): void {
    const members: string[] = [];
    let last = node;
    let parent = node.parent;
    while (parent?.type === 'attribute' && parent.childForFieldName('object')?.id === last.id) {
      members.push(parent.childForFieldName('attribute')!.text);
      last = parent;
      parent = parent.parent;
    }
    const isCall = parent?.type === 'call' && parent.childForFieldName('function')?.id === last.id;
    uses.push({
      name: node.text,
      members,
      line: node.startPosition.row + 1,
      call: isCall ? argumentsOf(parent!.childForFieldName('arguments')) : null,
      isNew: false,
      result: isCall ? resultOf(parent!, isOnlyUsed) : 'used',
    });
  }

  function walk(node: Node): void {
    if (/^(?:import_statement|import_from_statement)$/.test(node.type)) return;
    if (node.type === 'identifier' && node.parent !== null) {
      if (isMeant(node.text) && !isOnlyName(node, node.parent)) addUse(node);
      return;
    }
    const inside = namesInside(node);
    if (inside !== null) scopes.push(inside);
    for (const child of childrenOf(node)) walk(child);
    if (inside !== null) scopes.pop();
  }

  walk(module);
  return uses;
}
