import type { ChangedFile } from '../../change/change.ts';
import type { CodeFacts, Definition } from '../code-facts.ts';
import type { RepositoryCode } from '../repository-code.ts';

/** Something that a change alters for those who use it. */
export interface ChangedSymbol {
  /** As it was called. */
  readonly symbol: string;
  readonly renamedTo: string | null;
  readonly change: 'removed' | 'renamed' | 'signature' | 'made_async' | 'moved';
  readonly file: ChangedFile;
  /** Where it was. */
  readonly oldPath: string;
  readonly before: Definition;
  /** Null where it is gone. */
  readonly after: Definition | null;
}

/** The definitions of a file that are gone or no longer what they were. */
export async function changedSymbols(
  file: ChangedFile,
  base: RepositoryCode,
  head: RepositoryCode,
): Promise<ChangedSymbol[]> {
  const oldPath = file.oldPath ?? file.path;
  if (
    file.kind === 'added' ||
    file.kind === 'copied' ||
    file.missing !== null ||
    !base.language.covers(oldPath)
  )
    return [];
  const old = await base.facts(oldPath);
  const isGone = file.kind === 'deleted';
  const now = isGone ? undefined : await head.facts(file.path);
  // What does not parse says nothing.
  if (old === undefined || (!isGone && now === undefined)) return [];
  const found: ChangedSymbol[] = [];
  const add = (altered: Pick<ChangedSymbol, 'change' | 'before' | 'after'> & { renamedTo?: string | null }) =>
    found.push({ renamedTo: null, ...altered, symbol: altered.before.name, file, oldPath });
  const known = new Set(old.definitions.map(({ name }) => name));
  const added = (now?.definitions ?? []).filter(({ name }) => !known.has(name));
  const addedByShape = Map.groupBy(added, shapeOf);
  /** The one new definition of the file that says the same under another name. */
  const renamedFrom = (before: Definition) => {
    const alike = addedByShape.get(shapeOf(before));
    return alike?.length === 1 && before.kind !== 'value' ? alike[0] : undefined;
  };
  // Of several with one name, the first counts.
  const byName = new Map((now?.definitions ?? []).toReversed().map((each) => [each.name, each]));
  const [formerly, given] = [exportsByLocal(old), exportsByLocal(now)];
  for (const before of old.definitions) {
    const after = byName.get(before.name) ?? null;
    if (after === null || !isStillGiven(before, formerly, given)) {
      const renamed = after === null ? renamedFrom(before) : undefined;
      add({
        change: renamed === undefined ? 'removed' : 'renamed',
        before,
        after: renamed ?? null,
        renamedTo: renamed?.name ?? null,
      });
    } else if (isAltered(before, after)) add({ change: 'signature', before, after });
    else if (after.isAsync && !before.isAsync) add({ change: 'made_async', before, after });
  }
  return found;
}

/** The names that a file gives to others, by what they stand for in it. */
function exportsByLocal(facts: CodeFacts | undefined): ReadonlyMap<string | null, ReadonlySet<string>> {
  const found = new Map<string | null, Set<string>>();
  for (const { local, name } of facts?.exports ?? [])
    found.set(local, (found.get(local) ?? new Set()).add(name));
  return found;
}

/** Whether others can still get it by every name that it had. */
function isStillGiven(
  { name }: Definition,
  formerly: ReturnType<typeof exportsByLocal>,
  given: ReturnType<typeof exportsByLocal>,
): boolean {
  const local = name.split('.')[0]!;
  const now = given.get(local);
  return [...(formerly.get(local) ?? [])].every((each) => now?.has(each) === true);
}

/** What a definition has in common with itself under another name. */
const shapeOf = (each: Definition) => `${each.kind} ${each.endLine - each.startLine} ${signatureOf(each)}`;

const signatureOf = ({ parameters }: Definition) =>
  JSON.stringify(
    parameters?.map(({ name, isOptional, isRest, kind }) => [name, isOptional, isRest, kind]) ?? null,
  );

/** Names matter only where callers may use them. */
function isAltered(before: Definition, after: Definition): boolean {
  if (before.parameters === null || after.parameters === null) return false;
  return signatureOf(before) !== signatureOf(after);
}
