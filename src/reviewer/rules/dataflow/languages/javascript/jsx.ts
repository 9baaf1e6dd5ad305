import type { Node } from '../../../../code/javascript/syntax.ts';
import { type Expression, nothing } from '../../form.ts';

/**
 * The expressions in a JSX element. `dangerouslySetInnerHTML={{ __html: value }}` becomes an assignment to a member of that name.
 */
export function partsOfElement(
  node: Node,
  expression: (node: Node) => Expression,
  lineOf: (node: Node) => number,
): Expression[] {
  const parts: Expression[] = [];
  for (const attribute of node.openingElement?.attributes ?? []) {
    const value = attribute.value?.expression;
    if (value == null || value.type === 'JSXEmptyExpression') continue;
    const own = expression(value);
    parts.push(own);
    if (attribute.name?.name !== 'dangerouslySetInnerHTML' || own.kind !== 'collection') continue;
    const html = own.entries.find(({ name }) => name === '__html');
    if (html === undefined) continue;
    const line = lineOf(value);
    parts.push({
      kind: 'assign',
      target: { kind: 'member', of: nothing(line), name: 'dangerouslySetInnerHTML', line },
      value: html.value,
      line,
    });
  }
  for (const child of node.children ?? []) {
    const inner = child.type === 'JSXExpressionContainer' ? child.expression : child;
    if (!/^JSX(?:Text|EmptyExpression)$/.test(inner.type)) parts.push(expression(inner));
  }
  return parts;
}
