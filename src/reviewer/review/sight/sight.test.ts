import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { makeRepository } from '../../../../test/git-repository.ts';
import { openChange } from '../../change/change-source.ts';
import { type PostilFile, resolveConfiguration } from '../../configuration/review-configuration.ts';
import { partsOf } from '../../process/part.ts';
import { PartEnded } from '../../process/part-failure.ts';
import { workHere } from '../../process/run-here.ts';
import { openRepository, placeOf } from '../../repository/repository.ts';
import { lookAtChange } from '../look-at-change.ts';
import { reviewChange } from '../review-change.ts';
import type { ReviewRequest } from '../review-request.ts';
import { work as lookNow } from './sight-part.ts';

type Files = Record<string, string>;
const signal = new AbortController().signal;

/** The request to review the second commit, or the working copy, of a repository. */
async function requestFor(
  folder: string,
  { base, head }: { base: string; head: string | null },
  { file = {}, ...given }: Partial<ReviewRequest> & { file?: PostilFile } = {},
): Promise<ReviewRequest> {
  const repository = await openRepository(folder, { searchPath: process.env.PATH });
  const processes = workHere(async () => []);
  after(async () => {
    await processes.stop();
    await repository.close();
  });
  return {
    change: { kind: 'commits', repository: placeOf(repository), base, head },
    configuration: resolveConfiguration(file),
    run: partsOf(processes, { group: 'test', signal }),
    own: { astGrepRules: [], searchPath: undefined },
    signal,
    ...given,
  };
}

async function changed(before: Files, later: Record<string, string | null>) {
  const made = await makeRepository(before);
  const base = await made.git('rev-parse', 'HEAD');
  const gone = Object.keys(later).filter((name) => later[name] === null);
  if (gone.length > 0) await made.git('rm', '--quiet', ...gone);
  const kept = Object.entries(later).filter((entry): entry is [string, string] => entry[1] !== null);
  await made.write(Object.fromEntries(kept));
  return { ...made, base };
}

const load = 'export function load(id: string) {\n  return id;\n}\n';
const shop = {
  'load.ts': `// loads\n${load}`,
  'a.ts': "import { load } from './load';\nload('1');\n",
  'b.ts': "import { load } from './load';\nload('2');\n",
};
const without = { 'load.ts': '// loads\nexport {};\n' };

const shown = ({
  path,
  side,
  startLine,
  source,
  isInDiff,
  quote,
}: Awaited<ReturnType<typeof reviewChange>>['findings'][number]) => ({
  path,
  side,
  startLine,
  rule: source.name,
  isInDiff,
  quote,
});

test('code that a change breaks elsewhere is reported at its cause, for commits and for a working copy', async () => {
  const made = await changed(shop, without);
  const open = await reviewChange(await requestFor(made.folder, { base: made.base, head: null }));
  const head = await made.commit();
  const committed = await reviewChange(await requestFor(made.folder, { base: made.base, head }));
  const removed = {
    path: 'load.ts',
    side: 'old',
    startLine: 2,
    rule: 'references/removed',
    isInDiff: true,
    quote: 'export function load(id: string) {',
  };
  assert.deepEqual(open.findings.map(shown), [removed]);
  assert.deepEqual(committed.findings.map(shown), [removed]);
  assert.deepEqual(open.findings, committed.findings);
  assert.equal(open.status, 'succeeded');
  assert.deepEqual(open.notes, []);
});

test('references to altered symbols are plain JSON, broken ones first', async () => {
  const made = await changed(shop, { ...without, 'a.ts': 'export {};\n' });
  const { sight } = await lookAtChange(await requestFor(made.folder, { base: made.base, head: null }));
  assert.deepEqual(JSON.parse(JSON.stringify(sight)), {
    impact: [
      {
        symbol: 'load',
        renamedTo: null,
        change: 'removed',
        path: 'load.ts',
        line: 2,
        references: [
          { path: 'b.ts', line: 2, state: 'broken' },
          { path: 'a.ts', line: 2, state: 'updated' },
        ],
        totalReferences: 2,
      },
    ],
    totalImpact: 1,
    isWhole: true,
  });
});

test('a deleted file has findings for files that still import it, and files that are filtered out have none', async () => {
  const made = await changed(shop, { 'load.ts': null });
  const request = (file: PostilFile) => requestFor(made.folder, { base: made.base, head: null }, { file });
  const { findings, coverage } = await reviewChange(await request({}));
  assert.deepEqual(
    findings.map(({ path, side, source }) => [path, side, source.name]),
    [['load.ts', 'old', 'references/missing-file']],
  );
  assert.deepEqual(coverage, [{ path: 'load.ts', state: 'full', reason: null }]);
  for (const reviews of [{ path_filters: ['!load.ts'] }, { rules: { references: false } }])
    assert.deepEqual((await reviewChange(await request({ reviews }))).findings, []);
});

test('a test in Go, which no other rule covers, is fully reviewed by rules about references', async () => {
  const go = { 'go.mod': 'module acme.test/shop\n', 'shop_test.go': 'package shop\n' };
  const made = await changed(go, { 'shop_test.go': 'package shop\n\nfunc use() {}\n' });
  const ofRules = async (references: boolean) => {
    const file = { reviews: { rules: { references } } };
    return (await reviewChange(await requestFor(made.folder, { base: made.base, head: null }, { file })))
      .coverage;
  };
  assert.deepEqual(await ofRules(true), [{ path: 'shop_test.go', state: 'full', reason: null }]);
  assert.deepEqual(await ofRules(false), [
    { path: 'shop_test.go', state: 'skipped', reason: 'no_rule_for_language' },
  ]);
});

test('languages whose references are not resolved are named, also rare ones', async () => {
  const made = await changed({ 'a.zig': 'fn a() void {}\n' }, { 'a.zig': 'fn b() void {}\n' });
  const { notes, coverage } = await reviewChange(
    await requestFor(made.folder, { base: made.base, head: null }),
  );
  assert.deepEqual(notes, [
    'What this change breaks elsewhere is not known for Zig: only JavaScript, TypeScript, Python and Go are resolved.',
  ]);
  assert.deepEqual(
    coverage.map(({ reason }) => reason),
    ['no_rule_for_language'],
  );
});

test('a finding about a dropped promise says that code goes on, others that it uses a promise as the value', async () => {
  const made = async (use: string) => {
    const { folder, base } = await changed(
      { 'load.ts': load, 'a.ts': `import { load } from './load';\n${use}` },
      { 'load.ts': load.replace('export', 'export async') },
    );
    return (await reviewChange(await requestFor(folder, { base, head: null }))).findings[0]!.body;
  };
  assert.match(await made("load('1');\n"), /goes on before it has finished/);
  assert.match(await made("load('1');\nif (load('1')) go();\n"), /the promise instead of its value/);
  const python = await changed(
    { 'load.py': 'def load(id):\n    return id\n', 'a.py': "from load import load\n\nload('1')\n" },
    { 'load.py': 'async def load(id):\n    return id\n' },
  );
  const { findings } = await reviewChange(await requestFor(python.folder, { base: python.base, head: null }));
  assert.match(findings[0]!.body, /coroutine now.* does not run at all/);
});

test('a file with more findings than the limit is partial, and the review degraded', async () => {
  const lost = Array.from({ length: 201 }, (_, index) => `import './lost${index}';\n`).join('');
  const made = await changed({ 'a.ts': 'export {};\n' }, { 'b.ts': lost });
  const { status, coverage, findings, overflow } = await reviewChange(
    await requestFor(made.folder, { base: made.base, head: null }),
  );
  assert.deepEqual(coverage, [{ path: 'b.ts', state: 'partial', reason: 'too_many_findings' }]);
  assert.equal(status, 'degraded');
  assert.equal(findings.length + overflow.length, 200);
});

test('links and submodules are in the coverage as files without rules, and do not degrade the review', async () => {
  const made = await makeRepository({ 'a.ts': 'export {};\n' });
  const base = await made.git('rev-parse', 'HEAD');
  const text = await made.git('rev-parse', 'HEAD:a.ts');
  await made.git('update-index', '--add', '--cacheinfo', `120000,${text},link.ts`);
  await made.git('update-index', '--add', '--cacheinfo', `160000,${base},part`);
  await made.git('commit', '--quiet', '-m', 'more');
  const head = await made.git('rev-parse', 'HEAD');
  const { coverage, status } = await reviewChange(await requestFor(made.folder, { base, head }));
  const reason = 'no_rule_for_language';
  assert.deepEqual(coverage, [
    { path: 'link.ts', state: 'skipped', reason },
    { path: 'part', state: 'skipped', reason },
  ]);
  assert.equal(status, 'succeeded');
});

test('a copy of existing code is reported whatever the floor, but does not count for the status', async () => {
  const copied = Array.from(
    { length: 16 },
    (_, index) => `  total${index} += price${index % 5} * amount${'+'.repeat(index % 9)}rest[${index}];`,
  ).join('\n');
  const body = (name: string) => `export function ${name}() {\n${copied}\n}\n`;
  const made = await changed({ 'a.ts': body('first') }, { 'b.ts': body('second') });
  const reviewed = async (file: PostilFile) =>
    reviewChange(await requestFor(made.folder, { base: made.base, head: null }, { file }));
  const low = await reviewed({});
  assert.deepEqual(low.findings, []);
  const [finding] = low.overflow;
  assert.equal(finding!.source.name, 'references/copied');
  assert.deepEqual(low.report!.quiet, [{ finding_id: finding!.identity, reason: 'below_floor' }]);
  assert.deepEqual(low.notes, [
    'Code of the change exists in the repository already: b.ts:1 duplicates a.ts:1.',
  ]);
  const raised = await reviewed({ reviews: { severity_floor: 'info' } });
  assert.deepEqual(
    raised.findings.map(({ identity }) => identity),
    [finding!.identity],
  );
  assert.deepEqual(raised.report!.quiet, []);
});

test('only selected files have findings, but the changes of others are considered', async () => {
  const made = await changed(shop, { ...without, 'a.ts': "import { gone } from './away';\n", 'b.ts': '' });
  const request = await requestFor(made.folder, { base: made.base, head: null });
  const select = (selected: string[]) => ({ ...request, change: { ...request.change, selected } as const });
  assert.deepEqual((await reviewChange(select(['load.ts']))).findings, []);
  assert.deepEqual(
    (await reviewChange(select(['a.ts']))).findings.map(({ path, source }) => [path, source.name]),
    [['a.ts', 'references/unknown-import']],
  );
});

test('a file that is unchanged since the last review can have findings because of other files', async () => {
  const made = await changed(shop, without);
  const request = await requestFor(made.folder, { base: made.base, head: null }, { leaveOut: ['load.ts'] });
  const { findings, coverage } = await reviewChange(request);
  assert.deepEqual(
    findings.map(({ path }) => path),
    ['load.ts'],
  );
  assert.deepEqual(coverage, []);
});

test('if the analysis ends early, there is a note, and the review is complete without it', async () => {
  const made = await changed(shop, without);
  const failures: [Error, string][] = [
    [new PartEnded('time'), 'reading it took too long'],
    [new PartEnded('memory'), 'reading it took too much memory'],
    [new PartEnded('crashed'), 'the process that was reading it crashed, twice'],
    [new TypeError('no such node'), 'it failed: no such node'],
  ];
  for (const [error, said] of failures) {
    const request = await requestFor(made.folder, { base: made.base, head: null });
    const run: ReviewRequest['run'] = (part, ...rest) =>
      part.module.endsWith('sight-part.ts') ? Promise.reject(error) : request.run(part, ...rest);
    const result = await reviewChange({ ...request, run });
    assert.deepEqual(result.notes, [`The rest of the repository was not analyzed: ${said}.`]);
    assert.deepEqual([result.status, result.findings, result.coverage.length], ['succeeded', [], 1]);
  }
});

test('a repository that is too large for the time is analyzed in part, and missing findings do not count as gone', async () => {
  const made = await changed(shop, without);
  const { change } = await requestFor(made.folder, { base: made.base, head: null });
  const place = {
    openChange,
    signal,
    deadline: AbortSignal.abort(),
    ruleSources: async () => [],
    report: () => {},
    retire: () => {},
  };
  const seen = await lookNow({ change, paths: ['load.ts'], lineages: {} }, place);
  assert.deepEqual(seen.notes, ['Not all uses of the changed code were checked: there was not enough time']);
  assert.deepEqual([seen.isWhole, seen.findings], [false, []]);
});

test('there are notes about missing contents in a partial clone, and about languages that are not resolved', async () => {
  const made = await changed({ ...shop, 'a.rb': 'load 1\n' }, { ...without, 'a.rb': 'load 2\n' });
  const head = await made.commit();
  const id = await made.git('rev-parse', `${head}:b.ts`);
  await rm(path.join(made.folder, '.git', 'objects', id.slice(0, 2), id.slice(2)));
  const { notes, findings } = await reviewChange(await requestFor(made.folder, { base: made.base, head }));
  assert.deepEqual(findings, []);
  assert.deepEqual(notes, [
    'What this change breaks elsewhere is not known for Ruby: only JavaScript, TypeScript, Python and Go are resolved.',
    'The rest of the repository was not analyzed: one of its files is not available.',
  ]);
});
