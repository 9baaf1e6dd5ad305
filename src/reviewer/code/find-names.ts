import { type Declaration, readDeclarations } from './declarations.ts';
import type { TreeCode } from './tree-code.ts';

/** Where a name is defined. */
export interface DefinitionPlace extends Declaration {
  readonly path: string;
}

/** Where a name is used. */
export interface ReferencePlace {
  readonly path: string;
  readonly line: number;
  /** It leads to the definition for certain; otherwise only the name is the same. */
  readonly isResolved: boolean;
}

export interface FoundNames<Place> {
  /** What is certain first, then what is near. */
  readonly places: readonly Place[];
  /** False where not everything could be looked at. */
  readonly isWhole: boolean;
}

/** Where somebody asks from, and how much is looked at. */
export interface NameSearch {
  /** The file that uses the name, whose imports decide; for references, the file that defines it. */
  readonly path?: string | undefined;
  readonly maxFiles?: number;
}

const defaultMaxFiles = 200;

/** A part of a name that Git can look for: `total` of `Cart.total`. */
const wordOf = (name: string) => /[\w$]+$/u.exec(name)?.[0] ?? '';
const isNamed = (known: string, name: string) =>
  known === name || known.endsWith(`.${name}`) || name.endsWith(`.${known}`);

/** Where a name is defined: behind the imports of the file that uses it, or else wherever it is defined in the tree. */
export async function findDefinitions(
  code: TreeCode,
  name: string,
  { path, maxFiles = defaultMaxFiles }: NameSearch = {},
): Promise<FoundNames<DefinitionPlace>> {
  const resolved = path === undefined ? undefined : await definitionBehind(code, name, path);
  if (resolved !== undefined) return { places: [resolved], isWhole: true };
  const { files, isWhole } = await filesWith(code, wordOf(name), path, maxFiles);
  const places: DefinitionPlace[] = [];
  for (const file of files)
    for (const { name: known, startLine, endLine } of await definitionsIn(code, file))
      if (isNamed(known, name)) places.push({ path: file, name: known, startLine, endLine });
  return { places, isWhole };
}

/** Where a name is used. Uses that lead to something else for certain are left out. */
export async function findReferences(
  code: TreeCode,
  name: string,
  { path, maxFiles = defaultMaxFiles }: NameSearch = {},
): Promise<FoundNames<ReferencePlace>> {
  const word = wordOf(name);
  const { files, lines, isWhole } = await filesWith(code, word, path, maxFiles);
  const places: ReferencePlace[] = [];
  for (const file of files) {
    const { certain, elsewhere } = await usesIn(code, file, name, path);
    const declared = (await definitionsIn(code, file)).filter((each) => isNamed(each.name, name));
    const isDeclared = (line: number) => declared.some(({ startLine }) => startLine === line);
    for (const line of certain) places.push({ path: file, line, isResolved: true });
    for (const line of lines.get(file) ?? [])
      if (!certain.has(line) && !elsewhere.has(line) && !isDeclared(line))
        places.push({ path: file, line, isResolved: false });
  }
  return { places: places.sort((a, b) => Number(b.isResolved) - Number(a.isResolved)), isWhole };
}

async function definitionBehind(
  code: TreeCode,
  name: string,
  path: string,
): Promise<DefinitionPlace | undefined> {
  const own = code.of(path);
  const facts = await own?.facts(path);
  if (own === undefined || facts === undefined) return undefined;
  const [first = '', ...members] = name.split('.');
  const isKnown =
    facts.imports.some(({ local }) => local === first) ||
    facts.definitions.some((each) => each.name === first);
  if (!isKnown) return undefined;
  const use = { name: first, members, line: 0, call: null, isNew: false, result: 'used' } as const;
  const target = await own.called(path, use);
  return (
    target && {
      path: target.path,
      name: target.name,
      startLine: target.startLine,
      endLine: target.endLine,
    }
  );
}

/** The files with a word, nearest first, and the lines that it stands on. */
async function filesWith(code: TreeCode, word: string, path: string | undefined, maxFiles: number) {
  if (word === '') return { files: [], lines: new Map<string, Set<number>>(), isWhole: true };
  const { places, isWhole } = await code.tree.findWords([word]);
  const lines = new Map<string, Set<number>>();
  for (const place of places) lines.set(place.path, (lines.get(place.path) ?? new Set()).add(place.line));
  const shared = (file: string) => {
    const [one, other] = [file.split('/'), (path ?? '').split('/')];
    const parted = one.findIndex((part, index) => part !== other[index]);
    return parted === -1 ? one.length : parted;
  };
  const files = [...lines.keys()].sort((a, b) => shared(b) - shared(a) || (a < b ? -1 : 1));
  return { files: files.slice(0, maxFiles), lines, isWhole: isWhole && files.length <= maxFiles };
}

async function definitionsIn(code: TreeCode, path: string): Promise<readonly Declaration[]> {
  const facts = await code.of(path)?.facts(path);
  if (facts !== undefined) return facts.definitions;
  const text = await code.tree.read(path);
  return text === undefined ? [] : ((await readDeclarations(path, text)) ?? []);
}

/** The lines of a file that use the name for certain, and those that use something else by that name. */
async function usesIn(code: TreeCode, file: string, name: string, definedIn: string | undefined) {
  const [certain, elsewhere] = [new Set<number>(), new Set<number>()];
  const own = code.of(file);
  const facts = await own?.facts(file);
  if (own === undefined || facts === undefined) return { certain, elsewhere };
  for (const use of facts.uses) {
    const asked = [use.name, ...use.members];
    const brought = facts.imports.find(({ local }) => local === use.name)?.imported;
    if (![...asked, brought ?? ''].includes(wordOf(name))) continue;
    const { found, members } = await own.used(file, use);
    if (typeof found !== 'object' || found.definition === null) continue;
    const full = [found.definition.name, ...members].join('.');
    const isIt =
      (full === name || full.startsWith(`${name}.`) || found.definition.name === name) &&
      (definedIn === undefined || found.path === definedIn);
    (isIt ? certain : elsewhere).add(use.line);
  }
  for (const line of certain) elsewhere.delete(line);
  return { certain, elsewhere };
}
