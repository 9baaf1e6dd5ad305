import type { z } from 'zod';

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );
}

function deepestUnion(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  // Of the alternatives, the one that got furthest is what the caller most likely meant.
  const best = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a))[0]!;
  return best.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};
const units: Record<string, string> = {
  string: ' characters',
  array: ' entries',
  set: ' entries',
  map: ' entries',
};

function bound(origin: string, word: string, limit: number | bigint): string {
  const unit = units[origin];
  return unit === undefined ? `must be ${word} ${limit}` : `must have ${word} ${limit}${unit}`;
}

/** What a fault of the library's own wording means; a sentence that the schema gives itself stays as it is. */
function inWords(issue: z.core.$ZodIssue): string {
  const { message } = issue;
  if (issue.code === 'invalid_type' && message.startsWith('Invalid input: expected'))
    return message.endsWith('received undefined')
      ? 'is required'
      : `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === 'too_big' && message.startsWith('Too big'))
    return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
  if (issue.code === 'too_small' && message.startsWith('Too small'))
    return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
  if (issue.code === 'invalid_value' && message.startsWith('Invalid '))
    return issue.values.length === 1
      ? `must be ${String(issue.values[0])}`
      : `must be one of ${issue.values.map(String).join(', ')}`;
  return message;
}

const mostFaults = 100;

/** Says the faults of a refused value in a sentence each, with the path of the field; of very many, the first. */
export function faultsOf(error: z.ZodError, where = ''): string[] {
  const told = sentencesOf(error.issues.slice(0, mostFaults), where);
  const untold = error.issues.length - mostFaults;
  return untold > 0 ? [...told, `and ${untold} more faults`] : told;
}

function sentencesOf(issues: readonly z.core.$ZodIssue[], where: string): string[] {
  return issues.flatMap(deepestUnion).flatMap((issue) => {
    const path = pathText(where === '' ? issue.path : [where, ...issue.path]);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => `${path === '' ? key : `${path}.${key}`}: unknown field`);
    }
    return [`${path === '' ? 'the body' : path}: ${inWords(issue)}`];
  });
}
