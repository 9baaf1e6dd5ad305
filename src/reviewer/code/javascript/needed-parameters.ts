import { isFunction, namesOfPattern } from './scopes.ts';
import type { Node, Syntax } from './syntax.ts';

const conditions: Readonly<Record<string, string>> = {
  IfStatement: 'test',
  ConditionalExpression: 'test',
  SwitchStatement: 'discriminant',
  LogicalExpression: 'left',
};

/**
 * Whether a function fails if a parameter is not passed: it accesses a member of it or calls it, without checking it first.
 * Code that depends on the values of earlier parameters does not count, because the caller may know that it does not run.
 */
export function isReadUnchecked(
  name: string,
  parameters: readonly string[],
  body: Node,
  childrenOf: Syntax['childrenOf'],
): boolean {
  if (body === null || body === undefined) return false;
  /** The earlier parameters, and variables computed from them. Later ones are not passed either if this one is not. */
  const others = new Set(parameters.slice(0, parameters.indexOf(name)));
  let isAsked = false;
  let isChecked = false;
  /** Whether every call reaches the current node. */
  let isSure = true;
  const isIt = (node: Node) => node?.type === 'Identifier' && node.name === name;
  const has = (node: Node, test: (inner: Node) => boolean): boolean =>
    test(node) || childrenOf(node).some((child) => has(child, test));
  const hasOthers = (node: Node) =>
    has(node, (inner) => inner.type === 'Identifier' && others.has(inner.name));

  /** Whether the function may return or throw inside the node. */
  const mayLeave = (node: Node): boolean =>
    /^(?:Return|Throw)Statement$/.test(node.type) ||
    childrenOf(node).some((child) => !isFunction(child) && mayLeave(child));

  function look(node: Node, condition: Node | undefined): void {
    if (node.type === 'MemberExpression' && isIt(node.object)) {
      if (node.optional) isChecked = true;
      else if (isSure) isAsked = true;
    }
    if (node.type === 'CallExpression' && isIt(node.callee) && !node.optional && isSure) isAsked = true;
    if (condition !== undefined && node.type !== 'SwitchStatement' && has(condition, isIt)) isChecked = true;
    if (node.type === 'AssignmentExpression' && isIt(node.left)) isChecked = true;
    if (node.type === 'UnaryExpression' && node.operator === 'typeof' && isIt(node.argument))
      isChecked = true;
    if (node.type === 'VariableDeclarator' && node.init !== null && hasOthers(node.init))
      for (const made of namesOfPattern(node.id)) others.add(made);
  }

  function walk(node: Node): void {
    const condition = node[conditions[node.type] ?? ''];
    look(node, condition);
    const wasSure = isSure;
    const depends = condition !== undefined && hasOthers(condition);
    for (const child of childrenOf(node)) {
      walk(child);
      if (child === condition && depends) isSure = false;
    }
    // A return in an inner function does not end the outer one.
    if (isFunction(node)) isSure = wasSure;
    else if (depends) isSure = wasSure && !mayLeave(node);
  }

  walk(body);
  return isAsked && !isChecked;
}
