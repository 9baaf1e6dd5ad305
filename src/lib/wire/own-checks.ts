import { z } from 'zod';

type Check<Value> = (payload: z.core.ParsePayload<Value>) => void;

/**
 * A check that sees only values without a fault so far. zod would run it on others, too: after a check that failed, and on an
 * object with unsound fields, which then need not even have the type that the schema says.
 */
export function onSound<Value>(check: Check<Value>): Check<Value> {
  return (payload) => {
    if (payload.issues.length === 0) check(payload);
  };
}

/** A check that sees unsound objects as well, so that its faults are told together with the others: nothing in them has a type. */
export function onObject(check: Check<object>): z.core.$ZodCheck<object> {
  const made = z.check<object>(check);
  made._zod.def.when = ({ value }) => typeof value === 'object' && value !== null;
  return made;
}

/** What is wrong if a check of ours fails; `path` names the field of an object, `params` can hold a `CodedFault`. */
interface Fault {
  readonly error: string;
  readonly path?: readonly PropertyKey[];
  readonly params?: object;
}

/** A check of ours: the value must pass the test, or has this fault. It sees only values without a fault so far. */
export function must<Value>(passes: (value: Value) => boolean, fault: string | Fault): Check<Value> {
  const { error, path = [], params } = typeof fault === 'string' ? { error: fault } : fault;
  return onSound(({ value, issues }) => {
    if (passes(value)) return;
    issues.push({
      code: 'custom',
      message: error,
      path: [...path],
      input: value,
      ...(params !== undefined && { params: { ...params } }),
    });
  });
}
