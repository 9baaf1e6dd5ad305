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
    return [`${path === '' ? 'the body' : path}: ${issue.message}`];
  });
}
