import type { StatementFault } from './migration-faults.ts';
import { linesOf, type SqlStatement } from './split-statements.ts';

const piece =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|[(),]|[^'"\-/$(),]+|[\s\S]/g;
const comment = /^(?:--|\/\*)/;
const tableName = /^\s*alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?[^\s,]+/i;

/** Splits a statement at its commas. Comments and the table's name are blanked, so that positions stay the same. */
function partsOf(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [each] of text.matchAll(piece)) {
    if (each === '(') depth += 1;
    if (each === ')') depth -= 1;
    if (each === ',' && depth === 0) parts.push('');
    parts[parts.length - 1] += comment.test(each) ? blank(each) : each;
  }
  return [parts[0]!.replace(tableName, blank), ...parts.slice(1)];
}

const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');

/** Returns a function that finds the line of a fault: of the word that it names in its part of the statement, or of that part. */
export function lineFinder({ text, line }: SqlStatement): (fault: StatementFault) => number {
  const parts = partsOf(text);
  const starts = [line];
  for (const part of parts) starts.push(starts.at(-1)! + linesOf(part));
  return ({ near, part = 0 }) => {
    const own = parts[part] ?? '';
    const named = near === undefined ? -1 : own.search(wordOf(near));
    const at = named === -1 ? own.search(/[^\s,]/) : named;
    return (starts[part] ?? line) + linesOf(own.slice(0, Math.max(at, 0)));
  };
}

function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w"])"?${name.replaceAll(/[^\w]/g, '\\$&')}"?(?![\\w"])`, 'i');
}
