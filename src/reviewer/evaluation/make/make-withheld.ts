import type { SeededRandom } from '../../../lib/seeded-random.ts';
import { isFixture, isGeneratedPath } from '../../change/file-kinds.ts';
import { readChange } from '../../change/read-change.ts';
import { languages } from '../../code/languages.ts';
import type { RepositoryPlace } from '../../repository/repository.ts';
import { openTree } from '../../repository/tree-view.ts';
import { filesWorthParsing } from './altered-words.ts';
import { findBlob } from './case-repository.ts';
import { readChangedCode } from './changed-code.ts';
import type { CaseMaker, MadeCase } from './made-case.ts';
import { findWithheldPlaces, type WithheldPlace } from './withheld-places.ts';

const maxFiles = 60;
/** Per commit, so that no single commit dominates. */
const maxCases = 3;

const isCode = (file: string) =>
  languages.some((language) => language.covers(file)) && !isGeneratedPath(file) && !isFixture(file);

/** Withheld updates: a commit that alters a name and the files that use it, with one of those files reverted. */
export const makeWithheld: CaseMaker = {
  isCandidate: ({ paths }) => paths.length <= maxFiles && paths.filter(isCode).length >= 2,

  async make({ id, parent }, { repository, target, random }) {
    const places = shuffle(await placesOf(repository, parent, id), random).slice(0, maxCases);
    const made: MadeCase[] = [];
    for (const place of places) {
      const former = await findBlob(repository, parent, place.path);
      if (former === undefined) continue;
      made.push({
        name: made.length === 0 ? 'withheld' : `withheld-${made.length + 1}`,
        kind: 'withheld',
        base: parent,
        head: await target.commit(id, parent, [former]),
        language: place.language,
        golden: place.lines.map((line) => ({ path: place.path, start_line: line, end_line: line })),
        one_of: true,
        rule: place.rule,
        resolvable: place.isResolvable,
        symbol: place.symbol,
      });
    }
    if (made.length === 0) return [];
    const { language } = made[0]!;
    return [...made, { name: 'as-it-was', kind: 'as_it_was', base: parent, head: id, language, golden: [] }];
  },
};

function shuffle<T>(items: readonly T[], random: SeededRandom): T[] {
  return items
    .map((item) => [random.next(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

async function placesOf(repository: RepositoryPlace, base: string, head: string): Promise<WithheldPlace[]> {
  const change = await readChange(repository, { base, head });
  try {
    const files = filesWorthParsing(change.files.filter(({ path }) => isCode(path)));
    if (files.length === 0) return [];
    const code = await readChangedCode({ ...change, files }, languages);
    const hasGo = code.some(({ language }) => language.name === 'go');
    return await findWithheldPlaces(code, hasGo ? await goModule(repository, base) : undefined);
  } finally {
    await change.close();
  }
}

/** The module path in the `go.mod` of the root; undefined if there is none. */
async function goModule(repository: RepositoryPlace, revision: string): Promise<string | undefined> {
  const tree = openTree(repository, revision);
  try {
    return /^module\s+(\S+)/m.exec((await tree.read('go.mod')) ?? '')?.[1];
  } finally {
    await tree.close();
  }
}
