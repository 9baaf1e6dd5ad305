import { z } from 'zod';

type Check<Value> = (payload: z.core.ParsePayload<Value>) => void;

/**
 * A check that runs only on values without faults so far. By default, zod runs checks also after another one has failed, and
 * on objects with invalid fields, whose types then differ from the schema.
 */
export function onSound<Value>(check: Check<Value>): Check<Value> {
  return (payload) => {
    if (payload.issues.length === 0) check(payload);
  };
}

/**
 * A check that runs on objects with invalid fields, too, so that all faults are reported together. So no field has a
 * guaranteed type.
 */
export function onObject(check: Check<object>): z.core.$ZodCheck<object> {
  const made = z.check<object>(check);
  made._zod.def.when = ({ value }) => typeof value === 'object' && value !== null;
  return made;
}

/** The fault of a failed check; `path` names the field of an object, `params` can contain a `CodedFault`. */
interface Fault {
  readonly error: string;
  readonly path?: readonly PropertyKey[];
  readonly params?: object;
}

/** A check that the value passes the test, or has this fault. It runs only on values without faults so far. */
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
