import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { mirrorPullRequest } from '../../../../test/mirrored-review.ts';
import { removeFolder } from '../../../../test/remove-folder.ts';
import { member, organization } from '../../../../test/sample-platform.ts';
import { signInAs, type TestSession } from '../../../../test/session.ts';

const mirrorsFolder = await mkdtemp(path.join(tmpdir(), 'postil-mirrors-'));
after(() => removeFolder(mirrorsFolder));
const app = await startTestApp({ mirrorsFolder });
const { sql } = app.database;

const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0'.repeat(2).slice(0, 36)}`;
const members = [
  member('9001', { role: 'cr_admin' }),
  member('9002'),
  member('9003'),
  member('9004', { role: 'cr_billing_admin' }),
];
const restricted = [{ provider_repository_id: '501', name: 'api', readers: ['9002'] }];
const own = organization({ members, repositories: restricted });
const other = organization({ members: [member('9009', { role: 'cr_admin' })] });
await app.platform({ organizations: [own, other] });

async function idOf({ provider_organization_id: id }: Record<string, unknown>): Promise<string> {
  const [row] = await sql`SELECT id FROM organizations WHERE provider_organization_id = ${id as string}`;
  return row!.id;
}
const [ownId, otherId] = [await idOf(own), await idOf(other)];
const sessions = new Map<string, TestSession>();
async function ask(person: string, asked: string, organizationId = ownId) {
  const session = sessions.get(person) ?? (await signInAs(app, `user-${person}@acme.test`));
  sessions.set(person, session);
  const scope = `${asked.includes('?') ? '&' : '?'}scope=organization:${organizationId}`;
  return session.call('GET', `/dashboard/v1/${asked}${scope}`);
}

const numbered = (count: number, change: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, index) => `${change[index + 1] ?? `line ${index + 1}`}\n`).join('');

const pull = await mirrorPullRequest({ app, mirrorsFolder }, ownId, {
  before: {
    'src/a.ts': numbered(60),
    'src/old name.ts': numbered(20),
    'gone.txt': 'was here\n',
    'picture.bin': Buffer.from([0, 1, 2, 3]),
    'untouched.ts': numbered(5),
  },
  async change(git) {
    await git.git('mv', 'src/old name.ts', 'src/new name.ts');
    await git.git('rm', '--quiet', 'gone.txt');
    await git.write({
      'src/a.ts': numbered(60, { 3: `const key = '${token}';`, 40: 'changed' }),
      'src/new name.ts': numbered(20, { 10: 'moved and changed' }),
      'picture.bin': Buffer.from([0, 9, 9, 9]),
      'wide.txt': `${'x'.repeat(5_000)}\n\u202Eturned\n`,
      'latin.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
      '-rf :(glob)*': 'an odd name\n',
      'pointer.psd': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
    });
    await symlink('/etc/passwd', path.join(git.folder, 'link'));
    // Not valid UTF-8.
    const name = Buffer.concat([Buffer.from(`${git.folder}/caf`), Buffer.from([0xe9])]);
    await writeFile(name, 'coffee\n');
    await git.git('add', '--all');
    // Adds a submodule as if it were checked out.
    await git.git('update-index', '--add', '--cacheinfo', `160000,${'a'.repeat(40)},module`);
    await git.git('commit', '--quiet', '--message', 'change');
  },
});
const finding = {
  title: 'A key',
  body: `It is ${token}.`,
  suggestion: `const key = '${token}';`,
  start_line: 3,
};
const run = await pull.review({ findings: [finding], head: await pull.git.git('rev-parse', 'HEAD~1') });

test('files come without their lines, and each patch when it is asked for', async () => {
  const files = await ask('9002', `reviews/${run}/files`);
  assert.equal(files.headers['cache-control'], 'no-store');
  const by = Object.fromEntries(
    files.json.files.map(({ path: name, ...file }: { path: string }) => [name, file]),
  );
  assert.deepEqual(
    [files.json.missing, files.json.total, Object.keys(by).length, files.text.includes(token)],
    [null, 11, 11, false],
  );
  const { kind, old_path, added, removed, missing } = by['src/new name.ts'];
  assert.deepEqual([kind, old_path, added, removed, missing], ['renamed', 'src/old name.ts', 1, 1, null]);
  const missingOf = (name: string) => by[name].missing;
  assert.deepEqual(['picture.bin', 'link', 'module'].map(missingOf), [
    'binary',
    'symbolic_link',
    'submodule',
  ]);
  const a = await ask('9002', `reviews/${run}/patch?path=src/a.ts`);
  assert.deepEqual(
    a.json.patch.hunks.map((hunk: { old_start: number; new_start: number; lines: string[] }) => [
      hunk.old_start,
      hunk.new_start,
      hunk.lines.length,
    ]),
    [
      [1, 1, 7],
      [37, 37, 8],
    ],
  );
  assert.ok(a.json.patch.hunks[0].lines.includes(`+const key = '${token}';`));
  assert.equal(a.json.patch.total_lines, 60);
  const moved = await ask(
    '9002',
    `reviews/${run}/patch?path=${encodeURIComponent('src/new name.ts')}&old_path=${encodeURIComponent('src/old name.ts')}`,
  );
  assert.deepEqual(
    moved.json.patch.hunks[0].lines.filter((line: string) => !line.startsWith(' ')),
    ['-line 10', '+moved and changed'],
  );
});

test('folded lines and places outside the change are read line by line', async () => {
  const lines = await ask('9002', `reviews/${run}/lines?path=src/a.ts&start=20&end=22`);
  assert.deepEqual([lines.json.lines, lines.json.total_lines], [['line 20', 'line 21', 'line 22'], 60]);
  const before = await ask('9002', `reviews/${run}/lines?path=gone.txt&side=old&start=1&end=9`);
  assert.deepEqual(before.json.lines, ['was here']);
  const outside = await ask('9002', `reviews/${run}/lines?path=untouched.ts&start=4&end=900`);
  assert.deepEqual(outside.json.lines, ['line 4', 'line 5']);
  for (const name of ['link', 'module', 'picture.bin', 'nowhere.ts', 'src'])
    assert.equal((await ask('9002', `reviews/${run}/lines?path=${name}&start=1&end=2`)).status, 404, name);
});

test('whatever a change contains, its diff is shown within limits and nothing else is read', async () => {
  const patchOf = async (name: string) =>
    (await ask('9002', `reviews/${run}/patch?path=${encodeURIComponent(name)}`)).json.patch;
  const wide = await patchOf('wide.txt');
  assert.deepEqual([wide.is_cut, wide.hunks[0].lines[0].length], [true, 2_001]);
  assert.deepEqual((await patchOf('latin.txt')).hunks[0].lines, ['+caf\uFFFD']);
  assert.deepEqual((await patchOf('caf\\xE9')).hunks[0].lines, ['+coffee']);
  const lines = await ask(
    '9002',
    `reviews/${run}/lines?path=${encodeURIComponent('caf\\xE9')}&start=1&end=1`,
  );
  assert.deepEqual(lines.json.lines, ['coffee']);
  assert.deepEqual((await patchOf('-rf :(glob)*')).hunks[0].lines, ['+an odd name']);
  assert.equal((await patchOf('pointer.psd')).is_pointer, true);
  assert.deepEqual((await patchOf('link')).hunks, []);
  for (const bad of ['../secret', '/etc/passwd', 'a//b', '.', 'a%00b', ''])
    assert.equal((await ask('9002', `reviews/${run}/patch?path=${bad}`)).status, 400, bad);
  assert.equal((await ask('9002', `reviews/${run}/patch?path=untouched.ts`)).status, 404);
  for (const range of ['start=0&end=1', 'start=5&end=4', 'start=1&end=1001'])
    assert.equal((await ask('9002', `reviews/${run}/lines?path=src/a.ts&${range}`)).status, 400, range);
});

test('who may not read the repository gets findings without credentials, and no code', async () => {
  for (const [person, code] of [
    ['9003', 'PERMISSION_DENIED'],
    ['9004', 'PERMISSION_DENIED'],
  ] as const) {
    for (const asked of ['files', 'patch?path=src/a.ts', 'lines?path=src/a.ts&start=1&end=5']) {
      const refused = await ask(person, `reviews/${run}/${asked}`);
      assert.deepEqual([refused.status, refused.json.error.code], [403, code], `${person} ${asked}`);
    }
    const shown = await ask(person, 'pull-requests/501/7');
    assert.deepEqual([shown.status, shown.json.may_read_code], [200, false]);
    const review = await ask(person, `reviews/${run}`);
    assert.equal(review.json.findings[0].title, 'A key');
    assert.ok(!review.text.includes(token), 'the credential is not in what is said of it');
    assert.equal((await ask(person, 'pull-requests/501/7/conversation')).status, 403);
  }
  assert.equal((await ask('9002', 'pull-requests/501/7')).json.may_read_code, true);
  assert.equal((await ask('9001', `reviews/${run}/files`)).status, 200, 'an admin sees every repository');
});

test('of a repository that its host does not show any more only admins see code', async () => {
  const setActive = (isActive: boolean) =>
    sql`UPDATE repositories SET active = ${isActive} WHERE organization_id = ${ownId}`;
  await setActive(false);
  assert.equal((await ask('9002', `reviews/${run}/files`)).status, 403);
  assert.equal((await ask('9002', 'pull-requests/501/7')).json.may_read_code, false);
  assert.equal((await ask('9001', `reviews/${run}/files`)).status, 200);
  await setActive(true);
});

test('another organization finds neither code nor names', async () => {
  for (const asked of [
    `reviews/${run}/files`,
    `reviews/${run}/patch?path=src/a.ts`,
    `reviews/${run}/lines?path=src/a.ts&start=1&end=5`,
    `reviews/${run}/comparison`,
    'pull-requests/501/7',
    'pull-requests/501/7/conversation',
  ]) {
    const foreign = await ask('9009', asked, otherId);
    assert.equal(foreign.status, 404, asked);
    assert.ok(!/src|api|Totals|line 1/.test(foreign.text), foreign.text);
    assert.equal((await ask('9009', asked, ownId)).status, 404, asked);
  }
});

test('where the mirror lacks the commits, or there is none, that is said', async () => {
  const gone = await pull.review({ number: 8, head: 'b'.repeat(40) });
  assert.deepEqual(
    [
      (await ask('9001', `reviews/${gone}/files`)).json,
      (await ask('9001', `reviews/${gone}/patch?path=a`)).json,
    ],
    [
      { missing: 'commits_gone', total: 0, files: [] },
      { missing: 'commits_gone', patch: null },
    ],
  );
  await sql`UPDATE review_runs SET base_revision = NULL WHERE id = ${gone}`;
  assert.equal((await ask('9001', `reviews/${gone}/files`)).json.missing, 'no_commits');
  const blob = await pull.git.git('rev-parse', 'HEAD~1:src/a.ts');
  await rm(path.join(pull.folder, 'objects', blob.slice(0, 2), blob.slice(2)), { force: true });
  const { json } = await ask('9001', `reviews/${run}/patch?path=src/a.ts`);
  assert.deepEqual([json.missing, json.patch.missing, json.patch.hunks], [null, 'content_missing', []]);
  assert.equal((await ask('9001', `reviews/${run}/lines?path=src/a.ts&start=1&end=2`)).status, 404);
  await rm(path.join(pull.folder, 'objects'), { recursive: true });
  assert.equal((await ask('9001', `reviews/${run}/files`)).json.missing, 'unreadable');
  await rm(pull.folder, { recursive: true });
  assert.equal((await ask('9001', `reviews/${run}/files`)).json.missing, 'no_mirror');
});

test('reviews over time say what is new, gone and still there', async () => {
  const named = (...ids: string[]) => ids.map((id) => ({ finding_id: id, title: `Fault ${id}` }));
  const at = (minute: number) => new Date(app.now.getTime() + minute * 60_000);
  const first = await pull.review({ number: 9, findings: named('a', 'b'), at: at(1) });
  await pull.review({ number: 9, status: 'failed', at: at(2) });
  const last = await pull.review({ number: 9, findings: named('b', 'c', 'd'), at: at(3) });
  const { json } = await ask('9002', 'pull-requests/501/9');
  assert.deepEqual([json.title, json.author, json.run_count], ['Totals with discounts', 'user-9002', 3]);
  assert.deepEqual(
    json.runs.map(({ status, findings, since }: Record<string, unknown>) => [status, findings, since]),
    [
      ['succeeded', 3, { run_id: first, added: 2, gone: 1, kept: 1 }],
      ['failed', 0, null],
      ['succeeded', 2, null],
    ],
  );
  const titlesOf = async (person: string, organizationId?: string) =>
    (await ask(person, `review-titles?runs=${first},${last},${randomUUID()}`, organizationId)).json.data;
  assert.deepEqual(
    (await titlesOf('9003')).map(({ id, title }: { id: string; title: string }) => [id, title]).sort(),
    [first, last].map((id) => [id, 'Totals with discounts']).sort(),
  );
  assert.deepEqual(await titlesOf('9009', otherId), []);
  for (const bad of ['', 'x', Array(101).fill(first).join(',')])
    assert.equal((await ask('9002', `review-titles?runs=${bad}`)).status, 400);
  const compared = (await ask('9002', `reviews/${last}/comparison`)).json;
  const ids = (all: { finding_id: string }[]) => all.map(({ finding_id }) => finding_id);
  assert.deepEqual(
    [compared.previous_id, ids(compared.added), ids(compared.gone), compared.kept],
    [first, ['c', 'd'], ['a'], 1],
  );
  assert.deepEqual((await ask('9002', `reviews/${first}/comparison`)).json.previous_id, null);
  const unconnected = await ask('9002', 'pull-requests/501/9/conversation');
  assert.deepEqual([unconnected.status, unconnected.json.missing], [200, 'not_connected']);
});
