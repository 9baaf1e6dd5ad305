import type { TreeView } from '../../repository/tree-view.ts';
import { functionsAround } from './around-hunks.ts';
import { changedNames } from './changed-names.ts';
import type { KnownImpact } from './known-impact.ts';
import { findReferences, groupPlaces, type NamedPlace, type PlacesOfFile } from './references.ts';
import { type ShownHunks, shownLines } from './shown-change.ts';
import { CleanTexts, chooseSnippets, contains, joinRanges, type Snippet } from './snippet.ts';
import { usedDefinitions } from './used-definitions.ts';

export interface FoundContext {
  readonly snippets: readonly Snippet[];
  /** Notes for the reader about what could not be searched. */
  readonly notes: readonly string[];
}

interface ContextSearch {
  /** Of the known references, those that the change breaks are shown first. */
  readonly known: readonly KnownImpact[];
  readonly maxTokens: number;
  isLate(): boolean;
}

/** No call shows more files. */
const maxFiles = 60;

/**
 * Finds context for some hunks: the functions around them, definitions that they use, code that uses what they alter, and
 * tests that name it. The cost depends on the change: names are searched for, and only files with matches are read.
 */
export async function findContext(
  shown: readonly ShownHunks[],
  tree: TreeView,
  { known, maxTokens, isLate }: ContextSearch,
): Promise<FoundContext> {
  const texts = new CleanTexts(tree);
  const around = await functionsAround(shown, texts);
  const { places, isWhole } = await findReferences(await changedNames(shown), tree, isLate);
  const inDiff = new Map(shown.map(({ file, hunks }) => [file.path, shownLines(hunks)]));
  const { callers, tests } = groupPlaces([...knownPlaces(known), ...places], ({ path, line }) =>
    contains(inDiff.get(path) ?? [], { startLine: line, endLine: line }),
  );
  const groups = [
    { share: 0.35, snippets: around },
    { share: 0.2, snippets: await usedDefinitions(shown, texts, isLate) },
    { share: 0.35, snippets: await snippetsOf(callers, texts, 'uses') },
    { share: 0.1, snippets: await snippetsOf(tests, texts, 'tests') },
  ];
  const snippets = chooseSnippets(
    groups.map(({ share, snippets: own }) => ({
      share,
      snippets: own.filter((each) => !contains(inDiff.get(each.path) ?? [], each)),
    })),
    maxTokens,
  );
  const notes = isWhole
    ? []
    : [
        'The model may not have seen all code that uses the changed code: the search for it was not completed',
      ];
  return { snippets, notes };
}

/** Sorts the known references, broken ones first. Those that the change updates are left out, because the diff shows them. */
function knownPlaces(known: readonly KnownImpact[]): NamedPlace[] {
  const order = ['broken', 'unknown', 'fits'];
  return known
    .flatMap(({ symbol, references }) => references.map((each) => ({ ...each, name: symbol })))
    .filter(({ state }) => state !== 'updated')
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
    .map(({ path, line, name, state }) => ({ path, line, name, isBroken: state === 'broken' }));
}

async function snippetsOf(
  files: readonly PlacesOfFile[],
  texts: CleanTexts,
  verb: string,
): Promise<Snippet[]> {
  const snippets: Snippet[] = [];
  for (const { path, ranges, names } of files.slice(0, maxFiles))
    for (const range of joinRanges(ranges)) {
      const snippet = await texts.snippet(path, range, `(${verb} ${names.join(', ')})`);
      if (snippet !== undefined) snippets.push(snippet);
    }
  return snippets;
}
