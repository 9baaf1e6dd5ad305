import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { faultsOf } from '../../lib/wire/faults.ts';
import { type PostilFile, postilFileShape } from './review-configuration.ts';

/** A fault in a configuration file, with its place. Lines and columns start at 1. */
export interface ConfigurationFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** With a single invalid entry, or if it is too large, the whole file is faulty. */
export type ReadFile = { readonly file: PostilFile } | { readonly faults: readonly ConfigurationFault[] };

const maxLength = 256 * 1024;
export const tooLong: ConfigurationFault = {
  line: 1,
  column: 1,
  message: `the file has more than ${maxLength} characters`,
};

/** Parses a `.postil.yaml`. An empty one is valid. */
export function readPostilFile(text: string): ReadFile {
  const read = readYaml(text);
  if ('faults' in read) return read;
  const parsed = postilFileShape.safeParse(read.value ?? {});
  if (parsed.success) return { file: parsed.data };
  const faults = parsed.error.issues.flatMap((issue) => faultsAt(issue, read.document, read.lines));
  return { faults: faults.sort((a, b) => a.line - b.line || a.column - b.column) };
}

/** Parses the YAML of an untrusted configuration file. */
export function readYaml(
  text: string,
): { value: unknown; document: Document; lines: LineCounter } | { faults: ConfigurationFault[] } {
  if (text.length > maxLength) return { faults: [tooLong] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0)
    return {
      faults: document.errors.map(({ pos, message }) => ({
        ...placeOf(lines, pos[0]),
        // The parser is recursive.
        message: message.startsWith('Maximum call stack') ? 'the file is nested too deeply' : message,
      })),
    };
  try {
    return { value: document.toJS({ maxAliasCount: 50 }), document, lines };
  } catch (error) {
    return { faults: [{ line: 1, column: 1, message: (error as Error).message }] };
  }
}

/** The line and column of an offset in a text. */
export function placeOf(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** Converts an issue to faults with places: an unknown field is located at its name, anything else at its value. */
export function faultsAt(
  issue: z.core.$ZodIssue,
  document: Document,
  lines: LineCounter,
): ConfigurationFault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      ...placeOf(lines, offsetOfKey(document, issue.path, key)),
      message: `${[...issue.path, key].join('.')}: unknown field`,
    }));
  const place = placeOf(lines, offsetOfValue(document, issue.path));
  return faultsOf({ issues: [issue] } as unknown as z.ZodError).map((sentence) => ({
    ...place,
    message: sentence.replace(/^the body: /, 'the file: '),
  }));
}

function offsetOfKey(document: Document, path: readonly PropertyKey[], key: string): number {
  const parent = path.length === 0 ? document.contents : document.getIn(path, true);
  const pair = isMap(parent)
    ? parent.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
    : undefined;
  return isNode(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

/** The offset of a value; if it is missing, the offset of the nearest parent that exists. */
function offsetOfValue(document: Document, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true);
    if (isNode(node)) return node.range?.[0] ?? 0;
  }
  return isNode(document.contents) ? (document.contents.range?.[0] ?? 0) : 0;
}
