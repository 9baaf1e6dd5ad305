import type { Node } from 'web-tree-sitter';
import type { ResultUse } from '../code-facts.ts';
import { isOnlyName } from './scopes.ts';

/** Built-in functions that use their argument as it is, without awaiting it. */
const plainFunctions =
  /^(?:print|len|str|int|float|bool|list|tuple|set|dict|sum|sorted|abs|round|any|all|reversed|bytes|min|max|repr|iter|enumerate|json\.dumps)$/;

/** Whether a variable is only used as a plain value, and never awaited. */
type IsOnlyUsed = (variable: Node) => boolean;

/** What happens to a value, decided by its ancestor nodes. */
export function resultOf(value: Node, isOnlyUsed: IsOnlyUsed = () => false): ResultUse {
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
      case 'argument_list':
        return plainFunctions.test(parent.parent?.childForFieldName('function')?.text ?? '')
          ? 'used'
          : 'passed_on';
      default:
        return 'passed_on';
    }
    node = parent;
  }
  return node === value ? 'dropped' : 'passed_on';
}

function resultInto(target: Node, isOnlyUsed: IsOnlyUsed): ResultUse {
  if (target.type === 'identifier') return isOnlyUsed(target) ? 'used' : 'stored';
  return target.type === 'attribute' ? 'stored' : 'used';
}

interface Variable {
  settings: number;
  readonly results: ResultUse[];
}

/** Returns a test that analyzes the variables of each function, or of the whole module, once. */
export function variableUses(module: Node): IsOnlyUsed {
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
