import type { Change, ChangedFile } from '../../change/change.ts';
import type { Definition } from '../code-facts.ts';
import type { RepositoryCode } from '../repository-code.ts';
import { type ChangedSymbol, howAltered, shareOf } from './changed-symbols.ts';

interface NewPlace {
  readonly file: ChangedFile;
  readonly definition: Definition;
}

/**
 * Replaces removals by moves: a definition has moved if it was removed from one file and added to exactly one other file of
 * the change, with the same name and kind and similar content. If both files have the same address for imports, as in a Go
 * package, nothing has moved for its users.
 */
export async function withMoves(
  symbols: readonly ChangedSymbol[],
  change: Change,
  base: RepositoryCode,
  head: RepositoryCode,
): Promise<ChangedSymbol[]> {
  const gone = new Set(symbols.filter((each) => each.change === 'removed').map(({ symbol }) => symbol));
  if (gone.size === 0) return [...symbols];
  const places = await newPlaces(gone, change, base, head);
  const moved = symbols.map(async (symbol): Promise<ChangedSymbol[]> => {
    if (symbol.change !== 'removed' || symbol.after !== null || symbol.isOnlyExported) return [symbol];
    const [place, ...others] = (places.get(symbol.symbol) ?? []).filter(
      ({ definition }) => definition.kind === symbol.before.kind,
    );
    if (place === undefined || others.length > 0) return [symbol];
    const { file, definition: after } = place;
    if (head.language.addressOf(file.path) !== head.language.addressOf(symbol.oldPath))
      return [(await isAlike(symbol, place)) ? { ...symbol, change: 'moved', after, movedTo: file } : symbol];
    const altered = howAltered(symbol.before, after);
    return altered === null ? [] : [{ ...symbol, change: altered, after, file }];
  });
  return (await Promise.all(moved)).flat();
}

/** The share of common words, at least; with less, it is another definition with the same name. */
const minAlike = 0.5;

async function isAlike(
  { file, before }: ChangedSymbol,
  { file: other, definition }: NewPlace,
): Promise<boolean> {
  const [was, is] = await Promise.all([file.oldText(), other.newText()]);
  if (was === undefined || is === undefined) return false;
  return shareOf(before, was.split('\n'), definition, is.split('\n')) >= minAlike;
}

/** The definitions of these names in the head, in files that did not define them before. */
async function newPlaces(
  names: ReadonlySet<string>,
  { files }: Change,
  base: RepositoryCode,
  head: RepositoryCode,
): Promise<ReadonlyMap<string, readonly NewPlace[]>> {
  const found = new Map<string, NewPlace[]>();
  for (const file of files) {
    if (file.kind === 'deleted' || !head.language.covers(file.path)) continue;
    const before = file.oldPath === null ? undefined : await base.facts(file.oldPath);
    const known = new Set(before?.definitions.map(({ name }) => name));
    for (const definition of (await head.facts(file.path))?.definitions ?? []) {
      const { name } = definition;
      if (names.has(name) && !known.has(name))
        found.set(name, [...(found.get(name) ?? []), { file, definition }]);
    }
  }
  return found;
}
