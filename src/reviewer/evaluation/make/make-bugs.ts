import path from 'node:path';
import { readChange } from '../../change/read-change.ts';
import { languages } from '../../code/languages.ts';
import { findFixedPlaces, isFix } from './fixed-places.ts';
import type { CaseMaker } from './made-case.ts';

const maxFiles = 20;

/** Reintroduced bugs: the reverse of a fix, and the fix itself as a case without expected findings. */
export const makeBugs: CaseMaker = {
  isCandidate: ({ title, paths }) => isFix(title) && paths.length > 0 && paths.length <= maxFiles,

  async make({ id, parent }, { repository }) {
    const change = await readChange(repository, { base: id, head: parent });
    const golden = await findFixedPlaces(change).finally(() => change.close());
    if (golden === undefined) return [];
    const file = golden[0]!.path;
    const language = languages.find((each) => each.covers(file))?.name ?? path.extname(file).slice(1);
    return [
      { name: 'bug', kind: 'bug', base: id, head: parent, language, golden, one_of: true },
      { name: 'fix', kind: 'fix', base: parent, head: id, language, golden: [] },
    ];
  },
};
