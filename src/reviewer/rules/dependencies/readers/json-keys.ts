import { UnreadableFile } from '../dependency-file.ts';

type Keys = readonly (string | number)[];

/** Parses a JSON document that must be an object. */
export function readJson(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UnreadableFile(`it is not valid JSON (${(error as Error).message.slice(0, 100)})`);
  }
  return recordOf(value, 'it is not a JSON object');
}

/** The value as an object. For any other value, throws if `fault` is given, and otherwise returns an empty object. */
export function recordOf(value: unknown, fault?: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  if (fault !== undefined) throw new UnreadableFile(fault);
  return {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const quote = 34;
const backslash = 92;

/**
 * Calls `visit` for every key of a valid JSON document, in order, with its line and the path of keys and indexes to it. The path
 * is one array that is reused.
 */
export function forEachKey(text: string, visit: (keys: Keys, line: number) => void): void {
  const keys: (string | number)[] = [];
  const isList: boolean[] = [];
  let line = 1;
  let isKey = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10) line += 1;
    else if (code === quote) {
      const end = endOfString(text, at);
      if (isKey) {
        keys[keys.length - 1] = unquoted(text.slice(at, end + 1));
        visit(keys, line);
        isKey = false;
      }
      at = end;
    } else if (code === 123 || code === 91) {
      isList.push(code === 91);
      keys.push(code === 91 ? 0 : '');
      isKey = code === 123;
    } else if (code === 125 || code === 93) {
      isList.pop();
      keys.pop();
      isKey = false;
    } else if (code === 44) {
      isKey = isList.at(-1) === false;
      if (!isKey) keys[keys.length - 1] = (keys.at(-1) as number) + 1;
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const end = text.indexOf('"', at);
    if (end === -1) return text.length;
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
    at = end;
  }
}

function unquoted(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}
