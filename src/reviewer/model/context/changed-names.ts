import type { ChangedFile } from '../../change/change.ts';
import { isProse } from '../../change/file-kinds.ts';
import { findBlocks } from '../../code/blocks.ts';
import { definesName } from '../../code/by-name.ts';
import { languages } from '../../code/languages.ts';
import { readFacts } from '../../code/read-facts.ts';
import { changedLines, removedLines, type ShownHunks } from './shown-change.ts';

/** The name of something that a change alters, as other code uses it. */
export interface ChangedName {
  readonly name: string;
  readonly file: Pick<ChangedFile, 'path' | 'kind'>;
  /** How much it affects code that uses the name: a removal most, then a changed signature, and a new body least. */
  readonly weight: 'gone' | 'signature' | 'body';
}

interface Named {
  readonly name: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Names that callers do not write, or that are too common to search for. */
const unsearchable = /^(?:constructor|__init__|__new__|new|init|initialize|main|default|index|anonymous)$/;
const leastLength = 3;

/** The functions, classes and values that hunks alter, those with the greatest effect first. */
export async function changedNames(shown: readonly ShownHunks[]): Promise<ChangedName[]> {
  const found: ChangedName[] = [];
  for (const { file, hunks } of shown) {
    if (isProse(file.path)) continue;
    const [after, before] = [await file.newText(), await file.oldText()];
    const now = after === undefined ? [] : await namesAt(file.path, after, changedLines(hunks));
    const was =
      before === undefined ? [] : await namesAt(file.oldPath ?? file.path, before, removedLines(hunks));
    const isGone = async ({ name }: Named) =>
      after === undefined || !(await isDefinedIn(file.path, after, name));
    const heads = new Set(
      hunks.flatMap(({ lines }) =>
        lines.flatMap(({ kind, newLine }) => (kind === 'added' ? [newLine!] : [])),
      ),
    );
    for (const named of was) if (await isGone(named)) found.push({ name: named.name, file, weight: 'gone' });
    for (const { name, startLine } of now)
      if (!found.some((each) => each.name === name && each.file === file))
        found.push({
          name,
          file,
          weight: heads.has(startLine) && file.kind !== 'added' ? 'signature' : 'body',
        });
  }
  const order = { gone: 0, signature: 1, body: 2 };
  return found.sort((a, b) => order[a.weight] - order[b.weight]);
}

/** The definitions at these lines, by the names that other code uses. */
async function namesAt(path: string, text: string, lines: readonly number[]): Promise<Named[]> {
  const definitions = await definitionsOf(path, text);
  const blocks = definitions === undefined ? await findBlocks(path, text) : undefined;
  const found = new Map<string, Named>();
  for (const line of lines) {
    const around: readonly Named[] =
      blocks?.around(line) ??
      definitions!.filter(({ startLine, endLine }) => startLine <= line && line <= endLine);
    const own = around.findLast(({ name }) => isSearchable(name));
    if (own !== undefined) found.set(own.name, own);
  }
  blocks?.close();
  return [...found.values()];
}

async function isDefinedIn(path: string, text: string, name: string): Promise<boolean> {
  const definitions = await definitionsOf(path, text);
  if (definitions !== undefined) return definitions.some((each) => each.name === name);
  return text.split('\n').some((line) => line.includes(name) && definesName(line.slice(0, 400), name));
}

/** The definitions in a supported language, outer ones first, methods without their class; otherwise undefined. */
async function definitionsOf(path: string, text: string): Promise<Named[] | undefined> {
  const language = languages.find((each) => each.covers(path));
  const facts = language && (await readFacts(language, path, text));
  return facts?.definitions
    .map(({ name, startLine, endLine }) => ({ name: name.split('.').at(-1)!, startLine, endLine }))
    .sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
}

const isSearchable = (name: string) => name.length >= leastLength && !unsearchable.test(name);
