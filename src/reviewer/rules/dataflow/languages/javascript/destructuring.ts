import type { Node } from '../../../../code/javascript/syntax.ts';
import { type Expression, type FlowParameter, nothing, type Statement, type Target } from '../../form.ts';

type Parts = Extract<Target, { kind: 'apart' }>['parts'];

/** The parts of a destructuring pattern; null if the node is none. */
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

/** The arguments without a parameter that are followed. */
const unnamed = ['arguments[0]', 'arguments[1]', 'arguments[2]'];
const plain = { type: '', decorators: [], isRest: false, standard: null };

/** Adds unnamed parameters, and a statement that assigns all parameters to `arguments`. */
export function withUnnamed(parameters: readonly FlowParameter[], line: number) {
  const named = (name: string) => ({ kind: 'name', name, line }) as const;
  const others = unnamed.slice(parameters.length).map((name) => ({ ...plain, target: named(name) }));
  const given: readonly FlowParameter[] = [...parameters, ...others];
  const entries = given.map(({ target }) => ({
    name: null,
    value: target.kind === 'apart' ? nothing(line) : target,
  }));
  const value: Expression = { kind: 'collection', entries, isList: true, line };
  const first: Statement = { kind: 'assign', target: named('arguments'), value, line, isDeclared: true };
  return { given, first: [first] };
}
