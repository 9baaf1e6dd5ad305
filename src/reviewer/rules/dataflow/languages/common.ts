import { type Expression, nothing, type Operator, operators, type Statement, type Target } from '../form.ts';

/** What the languages have in common: how they are written differs, what becomes of it does not. */

/** Signs mean the same in every language that has them; some have others for the same. */
// biome-ignore format: as they belong together
const others: Readonly<Record<string, Operator>> = {
  '//': '/', '===': '==', is: '==', '!==': '!=', 'is not': '!=', '&&': 'and', '||': 'or',
};
const signs = new Map<string, Operator>([
  ...operators.map((each) => [each, each] as const),
  ...Object.entries(others),
]);

/** An operation by its sign; of signs that nobody follows, nothing is handed on. */
export function operationOf(sign: string, operands: readonly Expression[], line: number): Expression {
  const operator = signs.get(sign);
  if (operands.length > 2 && operator === '+') return { kind: 'text', parts: operands, line };
  return operator === undefined
    ? { kind: 'other', parts: operands, line }
    : { kind: 'operation', operator, operands, line };
}

/** The parts of a sum, in their order: a long one nests to the left as deep as it is long. */
export function summandsOf<Node>(
  node: Node,
  sidesOf: (node: Node) => readonly [left: Node, right: Node] | null,
): Node[] {
  const rest: Node[] = [];
  let first = node;
  for (let sides = sidesOf(first); sides !== null; sides = sidesOf(first)) {
    rest.push(sides[1]);
    first = sides[0];
  }
  return [first, ...rest.reverse()];
}

/** What can be given a value; whatever else stands there keeps nothing. */
export function targetOf(expression: Expression): Target {
  return expression.kind === 'name' || expression.kind === 'member' || expression.kind === 'element'
    ? expression
    : { kind: 'apart', parts: [], line: expression.line };
}

/** A number as it is written. */
export const numberOf = (text: string): number => Number(text.replaceAll('_', '')) || 0;

export interface Case {
  /** None: whatever is left. */
  readonly values: readonly Expression[];
  readonly body: readonly Statement[];
  readonly line: number;
  /** Goes on with the next one. */
  readonly fallsThrough?: boolean;
}

/** A value compared with one case after the other; without a value, cases are conditions. */
export function chosenFrom(subject: Expression | null, cases: readonly Case[], line: number): Statement {
  const standard = cases.findLast(({ values }) => values.length === 0);
  let otherwise: readonly Statement[] = standard?.body ?? [];
  let next = otherwise;
  for (const each of cases.toReversed()) {
    const body = each.fallsThrough === true ? next : each.body;
    next = body;
    if (each === standard || each.values.length === 0) continue;
    const condition = conditionOf(subject, each);
    otherwise = [{ kind: 'branch', condition, whenTrue: body, whenFalse: otherwise, line: each.line }];
  }
  const always: Expression = { kind: 'constant', value: true, line };
  return { kind: 'branch', condition: always, whenTrue: otherwise, whenFalse: [], line };
}

function conditionOf(subject: Expression | null, { values, line }: Case): Expression {
  const [first = nothing(line)] = values;
  if (subject === null)
    return values.length === 1 ? first : { kind: 'operation', operator: 'or', operands: values, line };
  if (values.length === 1) return { kind: 'operation', operator: '==', operands: [subject, first], line };
  const entries = values.map((value) => ({ name: null, value }));
  const list: Expression = { kind: 'collection', entries, isList: true, line };
  return { kind: 'operation', operator: 'in', operands: [subject, list], line };
}
