import { type Node, parseJavaScript } from './syntax.ts';

/** Parses JSON with comments and trailing commas, as in `tsconfig.json`; undefined if it is invalid. */
export async function readJsonWithComments(text: string): Promise<unknown> {
  const syntax = await parseJavaScript('settings.js', `(${text.replace(/^\uFEFF/, '')}\n)`);
  const [statement, ...others] = syntax?.program.body ?? [];
  if (statement?.type !== 'ExpressionStatement' || others.length > 0) return undefined;
  try {
    return dataOf(statement.expression);
  } catch {
    return undefined; // contains more than data
  }
}

function dataOf(node: Node): unknown {
  switch (node.type) {
    case 'ParenthesizedExpression':
      return dataOf(node.expression);
    case 'Literal':
      return node.value;
    case 'ArrayExpression':
      return node.elements.map(dataOf);
    case 'ObjectExpression':
      return Object.fromEntries(
        node.properties.map((part: Node) => [part.key.value ?? part.key.name, dataOf(part.value)]),
      );
    case 'UnaryExpression':
      return -Number(dataOf(node.argument));
    default:
      throw new TypeError(`${node.type} is no data`);
  }
}
