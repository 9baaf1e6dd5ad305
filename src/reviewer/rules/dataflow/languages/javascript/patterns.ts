import type { Node } from '../../../../code/javascript/syntax.ts';
import type { Target } from '../../form.ts';

type Parts = Extract<Target, { kind: 'apart' }>['parts'];

/** What a pattern takes a value apart into; null if the node is no pattern. */
export function partsOfPattern(node: Node, targetOf: (node: Node) => Target): Parts | null {
  if (node.type === 'ObjectPattern')
    return node.properties.map((part: Node) =>
      part.type === 'RestElement'
        ? { name: null, target: targetOf(part.argument) }
        : {
            name: part.computed ? '*' : String(part.key.name ?? part.key.value),
            target: targetOf(part.value),
          },
    );
  if (node.type === 'ArrayPattern')
    return node.elements.flatMap((part: Node, index: number) =>
      part === null
        ? []
        : part.type === 'RestElement'
          ? [{ name: null, target: targetOf(part.argument) }]
          : [{ name: String(index), target: targetOf(part) }],
    );
  return null;
}
