import type { Constant, Operator } from '../form.ts';

const onNumbers: Partial<Record<Operator, (a: number, b: number) => Constant | undefined>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0 ? undefined : a / b),
  '%': (a, b) => (b === 0 ? undefined : a % b),
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

/** The result of an operation on constants; undefined if it is not known. */
export function fold(operator: Operator, operands: readonly (Constant | undefined)[]): Constant | undefined {
  const [a, b] = operands;
  if (operator === 'not') return a === undefined ? undefined : !a;
  if (a === undefined || b === undefined) return undefined;
  if (operator === 'in') return typeof a === 'string' && typeof b === 'string' ? b.includes(a) : undefined;
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  if (operator === '+' && typeof a === 'string' && typeof b === 'string') return a + b;
  if (typeof a !== 'number' || typeof b !== 'number') return undefined;
  return onNumbers[operator]?.(a, b);
}
