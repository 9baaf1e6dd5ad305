import { UnreadableFile } from '../dependency-file.ts';
import { linesOf } from './lines-of.ts';

/** A `[[package]]` of a lock file in TOML. */
export interface LockedTable {
  readonly line: number;
  /** The values in the table itself, by key: strings without their quotes, others as written. */
  readonly fields: ReadonlyMap<string, string>;
  /** The values in its subtables, by table and key: `source.url`. */
  readonly inner: ReadonlyMap<string, string>;
}

const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/;
const entry = /^\s*([\w-]+|"[^"]*"|'[^']*')\s*=\s*(.*)$/;
const unquoted = (text: string) =>
  text.length > 1 && (text[0] === '"' || text[0] === "'") && text.at(-1) === text[0]
    ? text.slice(1, -1)
    : text;

/**
 * Calls `visit` for each package of a lock file, in order. Programs always format these files in the same way; a TOML parser
 * takes ten times as long, and does not report lines.
 */
export function forEachLockedTable(text: string, visit: (table: LockedTable) => void): void {
  let last: { line: number; fields: Map<string, string>; inner: Map<string, string> } | undefined;
  let table = '';
  let open: { key: string; parts: string[] } | undefined;
  const put = (key: string, value: string) => {
    if (last === undefined) return;
    if (table === 'package') last.fields.set(key, unquoted(value));
    else if (table.startsWith('package.'))
      last.inner.set(`${table.slice('package.'.length)}.${key}`, unquoted(value));
  };
  for (const { line: raw, number } of linesOf(text)) {
    const line = raw.trim();
    if (open !== undefined) {
      open.parts.push(line);
      if (!/^\]\s*(?:#.*)?$/.test(line)) continue;
      put(open.key, open.parts.join('\n'));
      open = undefined;
    } else if (line === '' || line.startsWith('#')) continue;
    else if (header.test(line)) {
      table = header.exec(line)![1]!;
      if (!line.startsWith('[[package]]')) continue;
      if (last !== undefined) visit(last);
      last = { line: number, fields: new Map(), inner: new Map() };
    } else {
      const [, key, value] = entry.exec(line) ?? [];
      if (key === undefined) throw new UnreadableFile(`line ${number} is not valid TOML`);
      if (/^\[(?:.*[^\]])?$/.test(value!)) open = { key: unquoted(key), parts: [value!] };
      else put(unquoted(key), value!);
    }
  }
  if (open !== undefined) throw new UnreadableFile('it ends in the middle of a list');
  if (last !== undefined) visit(last);
}
