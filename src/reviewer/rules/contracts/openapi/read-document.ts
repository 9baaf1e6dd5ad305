import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

/** A value of a parsed document. For the places of objects, see `placeOf`. */
export type Value = string | number | boolean | null | readonly Value[] | Fields;
export interface Fields {
  readonly [key: string]: Value;
}

export interface ReadDocument {
  readonly path: string;
  readonly root: Value;
}

/** Where each parsed object, and each of its keys, is. */
const origins = new WeakMap<
  object,
  { readonly path: string; readonly lines: ReadonlyMap<string, number>; readonly line: number }
>();

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The file and line of a key of an object, or of the object itself. */
export function placeOf(owner: Fields, key?: string): { readonly path: string; readonly line: number } {
  const origin = origins.get(owner);
  return {
    path: origin?.path ?? '',
    line: (key === undefined ? undefined : origin?.lines.get(key)) ?? origin?.line ?? 1,
  };
}

/** A file cannot be parsed; the message, for people, says why. */
export class UnreadDocument extends Error {}

const maxYaml = 1_500_000;

/** Parses JSON or YAML. A YAML alias becomes the same object, not a copy, so that alias bombs take no memory. */
export function readDocument(path: string, text: string): ReadDocument {
  try {
    return {
      path,
      root: /^\s*\{/.test(text) && path.endsWith('.json') ? readJson(path, text) : readYamlValue(path, text),
    };
  } catch (error) {
    if (error instanceof UnreadDocument) throw error;
    throw new UnreadDocument(
      error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message.split('\n')[0],
    );
  }
}

function parseYaml(text: string) {
  const counter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: counter,
    prettyErrors: false,
    logLevel: 'silent',
    uniqueKeys: false,
  });
  return { document, counter };
}

const quotedValue = /^( *)(?:- +)*[^\s'"#][^'"#]*: +(['"])(.*)$/;
const maxQuotedLines = 100;

/**
 * Indents the continuation lines of a quoted string that are no deeper than its key. The YAML standard requires this, but other
 * parsers do not, so descriptions without the indentation are common. Line numbers stay the same.
 */
function indentQuoted(text: string): string {
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent = '', quote = '', begun = ''] = quotedValue.exec(lines[at]!) ?? [];
    const isClosed = (part: string) => part.replaceAll(quote === "'" ? "''" : /\\./g, '').includes(quote);
    if (quote === '' || isClosed(begun)) continue;
    const end = lines.slice(at + 1, at + maxQuotedLines).findIndex(isClosed);
    if (end === -1) continue;
    for (const last = at + 1 + end; at < last; at += 1)
      lines[at + 1] = `${indent} ${lines[at + 1]!.trimStart()}`;
  }
  return lines.join('\n');
}

function readYamlValue(path: string, text: string): Value {
  if (text.length > maxYaml) throw new UnreadDocument('it is too long');
  const first = parseYaml(text);
  const isCut = first.document.errors[0]?.code === 'MISSING_CHAR';
  const { document, counter } = isCut ? parseYaml(indentQuoted(text)) : first;
  const [fault] = document.errors;
  if (fault !== undefined)
    throw new UnreadDocument(`${fault.message} in line ${counter.linePos(fault.pos[0]).line}`);
  const made = new Map<unknown, Value>();
  const anchors = new Map<string, unknown>();
  const convert = (node: unknown): Value => {
    if (isAlias(node)) return made.get(anchors.get(node.source)) ?? null;
    if (typeof node === 'object' && node !== null && 'anchor' in node && typeof node.anchor === 'string')
      anchors.set(node.anchor, node);
    if (isScalar(node)) {
      const value = node.value as Value;
      made.set(node, value);
      return value;
    }
    if (isSeq(node)) {
      const list: Value[] = [];
      made.set(node, list);
      for (const item of node.items) list.push(convert(item));
      return list;
    }
    if (!isMap(node)) return null;
    const fields: Record<string, Value> = {};
    const lines = new Map<string, number>();
    made.set(node, fields);
    origins.set(fields, { path, lines, line: counter.linePos(node.range?.[0] ?? 0).line });
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      if (isScalar(key) && key.range != null) lines.set(name, counter.linePos(key.range[0]).line);
      define(fields, name, convert(value));
    }
    if (Object.hasOwn(fields, '<<')) merge(fields, lines);
    return fields;
  };
  return convert(document.contents);
}

/** Applies the merge key `<<`: adds the fields of the other objects, except for those that the object has itself. */
function merge(fields: Record<string, Value>, lines: Map<string, number>): void {
  const given = fields['<<'];
  const sources = (Array.isArray(given) ? (given as readonly Value[]) : [given]).filter(isFields);
  if (sources.length === 0) return;
  delete fields['<<'];
  for (const source of sources)
    for (const [name, value] of Object.entries(source)) {
      if (Object.hasOwn(fields, name)) continue;
      define(fields, name, value);
      lines.set(name, placeOf(source, name).line);
    }
}

/** Assigning to `__proto__` would set the prototype, so this key is defined instead. For all others, assignment is faster. */
function define(fields: Record<string, Value>, name: string, value: Value): void {
  if (name !== '__proto__') fields[name] = value;
  else Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

const jsonToken = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/y;
const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9;
const maxDepth = 1_000;

/** Most strings have no escapes, and need no parsing. */
function plainValue(token: string): Value {
  return token.startsWith('"') && !token.includes('\\') ? token.slice(1, -1) : (JSON.parse(token) as Value);
}

/** Parses JSON with the lines of its keys, ten times as fast as a YAML parser. */
function readJson(path: string, text: string): Value {
  let [at, line] = [0, 1];
  const next = (): string => {
    for (let code = text.charCodeAt(at); isSpace(code); code = text.charCodeAt(at)) {
      if (code === 10) line += 1;
      at += 1;
    }
    jsonToken.lastIndex = at;
    const found = jsonToken.exec(text)?.[0];
    if (found === undefined) throw new UnreadDocument(`line ${line} is not valid JSON`);
    at += found.length;
    return found;
  };
  const read = (token: string, depth: number): Value => {
    if (depth > maxDepth) throw new UnreadDocument('it is nested too deeply');
    if (token === '[') {
      const list: Value[] = [];
      for (let each = next(); each !== ']'; each = next()) if (each !== ',') list.push(read(each, depth + 1));
      return list;
    }
    if (token !== '{') return plainValue(token);
    const fields: Record<string, Value> = {};
    const lines = new Map<string, number>();
    origins.set(fields, { path, lines, line });
    for (let key = next(); key !== '}'; key = next()) {
      if (key === ',') continue;
      const name = String(plainValue(key));
      lines.set(name, line);
      if (next() !== ':') throw new UnreadDocument(`line ${line} is not valid JSON`);
      define(fields, name, read(next(), depth + 1));
    }
    return fields;
  };
  return read(next(), 0);
}
