import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { faultsOf } from '../../lib/wire/faults.ts';
import { type PostilFile, postilFileShape } from './review-configuration.ts';

/** Something wrong in a configuration file, and where. Lines and columns start at 1. */
export interface ConfigurationFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A file has neither a wrong entry nor more than can be a configuration; otherwise it counts as a whole as faulty. */
export type ReadFile = { readonly file: PostilFile } | { readonly faults: readonly ConfigurationFault[] };

const maxLength = 256 * 1024;
export const tooLong: ConfigurationFault = {
  line: 1,
  column: 1,
  message: `the file has more than ${maxLength} characters`,
};

/** Reads a `.postil.yaml`. An empty one says nothing. */
export function readPostilFile(text: string): ReadFile {
  const read = readYaml(text);
  if ('faults' in read) return read;
  const parsed = postilFileShape.safeParse(read.value ?? {});
  if (parsed.success) return { file: parsed.data };
  const faults = parsed.error.issues.flatMap((issue) => faultsAt(issue, read.document, read.lines));
  return { faults: faults.sort((a, b) => a.line - b.line || a.column - b.column) };
}

/** Reads the YAML of a configuration file, whoever's it is. */
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
        // The parser calls itself for every level.
        message: message.startsWith('Maximum call stack') ? 'the file is nested too deeply' : message,
      })),
    };
  try {
    return { value: document.toJS({ maxAliasCount: 50 }), document, lines };
  } catch (error) {
    return { faults: [{ line: 1, column: 1, message: (error as Error).message }] };
  }
}

/** The place of an offset in a text. */
export function placeOf(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** What an issue says, and where: an unknown field is shown at its name, anything else at its value. */
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

/** Where the value stands; for one that is missing, where it is missing from. */
function offsetOfValue(document: Document, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true);
    if (isNode(node)) return node.range?.[0] ?? 0;
  }
  return isNode(document.contents) ? (document.contents.range?.[0] ?? 0) : 0;
}
