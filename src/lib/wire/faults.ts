import type { z } from 'zod';

const maxFaults = 100;
const maxNameLength = 200;

/** The name of a field as it is quoted: nobody needs to be sent back a name as long as a book. */
function quoteName(name: string): string {
  return name.length <= maxNameLength ? name : `(a name of ${name.length} characters)`;
}

/** The place of a value in a body, such as `data[0].file`. */
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
  // Of the alternatives, the one that got furthest is what the caller most likely meant.
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

/** How the names that a caller made up are told; as they are, unless said otherwise. */
type NameWording = (name: string) => string;

/** What is wrong with a value or a request, of which only the first faults are told: neither they nor their making may grow with it. */
export class FaultList {
  readonly #told: string[] = [];
  #untold = 0;

  /** One sentence per fault; the last one counts those that are not told. */
  get sentences(): string[] {
    return this.#untold === 0 ? this.#told : [...this.#told, `and ${this.#untold} more faults`];
  }

  add(sentence: string): void {
    if (this.#isFull) this.#untold += 1;
    else this.#told.push(sentence);
  }

  /** Adds the faults of a refused value, with the path of each field. */
  addIssues(issues: readonly z.core.$ZodIssue[], where = '', wordName: NameWording = (name) => name): void {
    for (const issue of issues) {
      if (issue.code === 'invalid_union') this.#addEach(deepestUnion(issue), where, wordName);
      else this.#addEach([issue], where, wordName);
    }
  }

  get #isFull(): boolean {
    return this.#told.length >= maxFaults;
  }

  #addEach(issues: readonly z.core.$ZodIssue[], where: string, wordName: NameWording): void {
    for (const issue of issues) {
      if (issue.code === 'unrecognized_keys') this.#addUnknown(issue, where, wordName);
      else if (this.#isFull) this.#untold += 1;
      else this.add(`${placeOf(issue, where) || 'the body'}: ${inWords(issue)}`);
    }
  }

  #addUnknown(issue: z.core.$ZodIssueUnrecognizedKeys, where: string, wordName: NameWording): void {
    const place = placeOf(issue, where);
    for (const [index, key] of issue.keys.entries()) {
      if (this.#isFull) {
        this.#untold += issue.keys.length - index;
        return;
      }
      const name = key.length <= maxNameLength ? wordName(key) : quoteName(key);
      this.add(`${place === '' ? name : `${place}.${name}`}: unknown field`);
    }
  }
}

function placeOf(issue: z.core.$ZodIssue, where: string): string {
  return pathText(where === '' ? issue.path : [where, ...issue.path]);
}

/** Says the faults of a refused value in a sentence each; of very many, the first. */
export function faultsOf(error: z.ZodError, where = '', wordName?: NameWording): string[] {
  const faults = new FaultList();
  faults.addIssues(error.issues, where, wordName);
  return faults.sentences;
}
