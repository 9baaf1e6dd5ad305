import { type Expression, nothing, type Operator, operators, type Statement, type Target } from '../form.ts';

/** Shared by the translations of all languages: their syntax differs, but the resulting form is the same. */

/** The operators of all languages have the same meaning; some languages write them differently. */
// biome-ignore format: as they belong together
const others: Readonly<Record<string, Operator>> = {
  '//': '/', '===': '==', is: '==', '!==': '!=', 'is not': '!=', '&&': 'and', '||': 'or',
};
const signs = new Map<string, Operator>([
  ...operators.map((each) => [each, each] as const),
  ...Object.entries(others),
]);

/** An operation by its sign in the code. Values do not flow through operators that are not known. */
export function operationOf(sign: string, operands: readonly Expression[], line: number): Expression {
  const operator = signs.get(sign);
  if (operands.length > 2 && operator === '+') return { kind: 'text', parts: operands, line };
  return operator === undefined
    ? { kind: 'other', parts: operands, line }
    : { kind: 'operation', operator, operands, line };
}

/** The value of a target after an assignment with an operator, such as `+=` or `%=`. */
export function updatedValue(sign: string, target: Expression, value: Expression, line: number): Expression {
  return operationOf(sign.replace(/=$/, ''), [target, value], line);
}

/** The operands of a sum, in order. The syntax tree of a long sum nests deeply to the left, so this does not recurse. */
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

/** An expression as the target of an assignment; targets that are not supported store nothing. */
export function targetOf(expression: Expression): Target {
  return expression.kind === 'name' || expression.kind === 'member' || expression.kind === 'element'
    ? expression
    : { kind: 'apart', parts: [], line: expression.line };
}

/** The value of a number literal; 0 if it cannot be parsed. */
export const numberOf = (text: string): number => Number(text.replaceAll('_', '')) || 0;

export interface Case {
  /** Empty for the default case. */
  readonly values: readonly Expression[];
  readonly body: readonly Statement[];
  readonly line: number;
  /** Whether it has no body of its own, and shares the one of the next case. */
  readonly fallsThrough?: boolean;
}

/** Translates a switch statement to branches. Without a subject, the cases are conditions. */
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
