import { isFunction, namesOfPattern } from './scopes.ts';
import type { Node, Syntax } from './syntax.ts';

const conditions: Readonly<Record<string, string>> = {
  IfStatement: 'test',
  ConditionalExpression: 'test',
  SwitchStatement: 'discriminant',
  LogicalExpression: 'left',
};

/**
 * Whether something is asked of the value of a parameter, which fails where there is none: whatever is passed before it, and
 * without anybody looking whether it is there. What happens only for some of these values, the caller may know about.
 */
export function isReadUnchecked(
  name: string,
  parameters: readonly string[],
  body: Node,
  childrenOf: Syntax['childrenOf'],
): boolean {
  if (body === null || body === undefined) return false;
  /** Those before it, and what is made of them: without it, there are none behind it. */
  const others = new Set(parameters.slice(0, parameters.indexOf(name)));
  let isAsked = false;
  let isChecked = false;
  /** Whether the walk is at a place that every call reaches. */
  let isSure = true;
  const isIt = (node: Node) => node?.type === 'Identifier' && node.name === name;
  const has = (node: Node, test: (inner: Node) => boolean): boolean =>
    test(node) || childrenOf(node).some((child) => has(child, test));
  const hasOthers = (node: Node) =>
    has(node, (inner) => inner.type === 'Identifier' && others.has(inner.name));

  /** Whether the function may end inside of the node. */
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
    // A function inside ends for itself.
    if (isFunction(node)) isSure = wasSure;
    else if (depends) isSure = wasSure && !mayLeave(node);
  }

  walk(body);
  return isAsked && !isChecked;
}
