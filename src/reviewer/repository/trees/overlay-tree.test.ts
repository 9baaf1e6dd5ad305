import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeRepository } from '../../../../test/git-repository.ts';
import { openRepository } from '../repository.ts';
import { openTree, type TreeView } from '../tree-view.ts';
import { overlayTree } from './overlay-tree.ts';

const before = {
  'src/a.ts': 'load();\nreload(); load()\n',
  'src/b.py': 'load\n',
  'gone.ts': 'load()\n',
  'package.json': '{ "main": "gone.ts" }\n',
};
const later = { 'src/a.ts': 'x\nLoad(load, $load)\n', 'new/c.ts': 'load\n', 'gone.ts': null };

test('a tree with other texts answers every query as Git does for a commit with them', async () => {
  const made = await makeRepository(before);
  const base = await made.git('rev-parse', 'HEAD');
  await made.git('rm', '--quiet', 'gone.ts');
  const head = await made.commit({ 'src/a.ts': later['src/a.ts'], 'new/c.ts': later['new/c.ts'] });
  const repository = await openRepository(made.folder, { searchPath: process.env.PATH });
  const [below, real] = [openTree(repository, base), openTree(repository, head)];
  after(async () => {
    await Promise.all([below.close(), real.close()]);
    await repository.close();
  });
  const overlay = overlayTree(below, new Map(Object.entries(later)));
  const questions: ((tree: TreeView) => Promise<unknown>)[] = [
    async (tree) => [...(await tree.paths())].sort(),
    (tree) => tree.missing(),
    ...Object.keys({ ...before, ...later }).map((path) => (tree: TreeView) => tree.read(path)),
    (tree) => tree.findWords(['load', 'gone'], ['*.ts']),
    (tree) => tree.findWords(['load']),
    (tree) => tree.findWords(['nowhere']),
    (tree) => tree.findLines(['LOAD('], { ignoresCase: true }),
    (tree) => tree.findLines(['load'], { asWords: true, pathspecs: [':(glob)**/*.ts'] }),
    (tree) => tree.findLines(['gone', ''], { pathspecs: [':(glob)**/package.json'] }),
  ];
  const sorted = (answer: unknown) => {
    const { places, lines } = (answer ?? {}) as { places?: unknown[]; lines?: unknown[] };
    const found = places ?? lines;
    return found === undefined ? answer : found.map((each) => JSON.stringify(each)).sort();
  };
  for (const ask of questions)
    assert.deepEqual(sorted(await ask(overlay)), sorted(await ask(real)), String(ask));
});
