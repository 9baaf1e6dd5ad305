import type { z } from 'zod';

const maxFaults = 100;
const maxNameLength = 200;

/** A field name for use in a message; an absurdly long one is not echoed back. */
function quoteName(name: string): string {
  return name.length <= maxNameLength ? name : `(a name of ${name.length} characters)`;
}

/** The path of a value in a body, such as `data[0].file`. */
export function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? quoteName(String(part)) : `.${quoteName(String(part))}`;
  }
  return text;
}

function deepestUnion(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  // The alternative that matched deepest is most likely the one the caller meant.
  const best = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a))[0]!;
  return best.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((deepest, issue) => Math.max(deepest, issue.path.length), 0);
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

/** Rewords zod's own messages; a message that comes from the schema is kept as it is. */
function describe(issue: z.core.$ZodIssue): string {
  const { message } = issue;
  if (issue.code === 'invalid_type' && message.startsWith('Invalid input: expected'))
    return message.endsWith('received undefined')
      ? 'is required'
      : `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === 'too_big' && message.startsWith('Too big'))
    return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
  if (issue.code === 'too_small' && message.startsWith('Too small'))
    return bound(issue.origin, issue.inclusive === false ? 'greater than' : 'at least', issue.minimum);
  if (issue.code === 'invalid_value' && message.startsWith('Invalid '))
    return issue.values.length === 1
      ? `must be ${String(issue.values[0])}`
      : `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? message;
  return message;
}

/** Formats field names that the caller chose; unchanged by default. */
type NameFormat = (name: string) => string;

/**
 * The faults of a value or request. Only the first ones are listed, so that neither the list nor the work grows with the
 * input.
 */
export class FaultList {
  readonly #listed: string[] = [];
  #omitted = 0;

  /** One sentence per fault; the last one counts those that are not listed. */
  get sentences(): string[] {
    return this.#omitted === 0 ? this.#listed : [...this.#listed, `and ${this.#omitted} more faults`];
  }

  add(sentence: string): void {
    if (this.#isFull) this.#omitted += 1;
    else this.#listed.push(sentence);
  }

  /** Adds the faults of an invalid value, with the path of each field. */
  addIssues(issues: readonly z.core.$ZodIssue[], where = '', formatName: NameFormat = (name) => name): void {
    for (const issue of issues) {
      if (issue.code === 'invalid_union') this.#addEach(deepestUnion(issue), where, formatName);
      else this.#addEach([issue], where, formatName);
    }
  }

  get #isFull(): boolean {
    return this.#listed.length >= maxFaults;
  }

  #addEach(issues: readonly z.core.$ZodIssue[], where: string, formatName: NameFormat): void {
    for (const issue of issues) {
      if (issue.code === 'unrecognized_keys') this.#addUnknown(issue, where, formatName);
      else if (this.#isFull) this.#omitted += 1;
      else this.add(`${pathOf(issue, where) || 'the body'}: ${describe(issue)}`);
    }
  }

  #addUnknown(issue: z.core.$ZodIssueUnrecognizedKeys, where: string, formatName: NameFormat): void {
    const path = pathOf(issue, where);
    for (const [index, key] of issue.keys.entries()) {
      if (this.#isFull) {
        this.#omitted += issue.keys.length - index;
        return;
      }
      const name = key.length <= maxNameLength ? formatName(key) : quoteName(key);
      this.add(`${path === '' ? name : `${path}.${name}`}: unknown field`);
    }
  }
}

function pathOf(issue: z.core.$ZodIssue, where: string): string {
  return pathText(where === '' ? issue.path : [where, ...issue.path]);
}

/** The faults of an invalid value, one sentence each; if there are very many, only the first ones. */
export function faultsOf(error: z.ZodError, where = '', formatName?: NameFormat): string[] {
  const faults = new FaultList();
  faults.addIssues(error.issues, where, formatName);
  return faults.sentences;
}
