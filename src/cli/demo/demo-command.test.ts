import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { childEnvironment } from '../../../test/child-environment.ts';
import { EmbeddedFolders } from '../../../test/embedded-folder.ts';
import { createTestDatabase } from '../../../test/postgres.ts';
import { claimDemoFolder } from './claim-demo-folder.ts';

const folders = new EmbeddedFolders();
const home = await mkdtemp(path.join(tmpdir(), 'postil-demo-'));
before(() => folders.open());
after(async () => {
  await folders.close();
  await rm(home, { recursive: true, force: true });
});

/** Runs the demo until it is ready, then stops it; or until it exits by itself. */
async function runDemo(variables: Record<string, string>) {
  const command = [path.join(import.meta.dirname, '../main.ts'), 'demo'];
  const env = { ...childEnvironment, POSTIL_PORT: '0', ...variables };
  const child = spawn(process.execPath, command, { cwd: home, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.on('data', (chunk) => {
    err += chunk;
    if (err.includes('Stop with Ctrl-C')) child.kill('SIGTERM');
  });
  await once(child, 'close');
  return { code: child.exitCode, err };
}

/** The contents of a folder: names, modification times and hashes. */
async function fingerprint(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(
    files.toSorted().map(async (file) => {
      const digest = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      return `${file} ${(await stat(file)).mtimeMs} ${digest}`;
    }),
  );
}

test('the demo keeps to its own folder, whatever database the environment names', async (context) => {
  const { database, target, drop } = await createTestDatabase();
  context.after(drop);
  await database.sql`
    INSERT INTO workspaces (id, slug, name, active, created_at)
    VALUES (gen_random_uuid(), 'own', 'Our own', true, now())`;
  const url =
    'url' in target
      ? target.url
      : `postgres://${target.user}@${encodeURIComponent(target.socketDirectory)}:${target.port}/${target.database}`;
  const rows = async () => [
    await database.sql`SELECT slug FROM workspaces`,
    await database.sql`SELECT count(*)::int AS count FROM audit_entries`,
    await database.sql`SELECT count(*)::int AS count FROM organizations`,
  ];
  const real = await folders.existing();
  const previous = [await fingerprint(real), await rows()];

  const { code, err } = await runDemo({
    POSTIL_DATA_DIR: real,
    DATABASE_URL: url,
    POSTIL_OPERATOR_TOKEN: 'the-token-of-real-data',
    POSTIL_PUBLIC_URL: 'https://postil.acme.test',
  });
  assert.equal(code, 0, err);
  assert.match(err, /demo is ready at http:\/\/127\.0\.0\.1:\d+ \(operator token: .*data-demo/);
  assert.match(err, /link: http:\/\/127\.0\.0\.1/, 'the link leads to the demo');
  assert.deepEqual([await fingerprint(real), await rows()], previous);
  assert.deepEqual(await readdir(home), ['data-demo']);
});

test('a folder that the demo created is used again at the next start', async () => {
  const folder = path.join(home, 'again', 'demo');
  await claimDemoFolder(folder);
  await writeFile(path.join(folder, 'operator-token'), 'kept');
  await claimDemoFolder(folder);
  assert.equal(await readFile(path.join(folder, 'operator-token'), 'utf8'), 'kept');
});

test('the demo refuses a folder that it did not create, and leaves it unchanged', async () => {
  const real = await folders.existing();
  const other = path.join(home, 'other');
  await mkdir(other);
  await writeFile(path.join(other, 'notes.txt'), 'mine');
  for (const folder of [real, other, path.join(other, 'notes.txt')]) {
    const previous = await fingerprint(path.dirname(folder));
    const { code, err } = await runDemo({ POSTIL_DEMO_DIR: folder });
    assert.equal(code, 1, err);
    assert.match(err, /^[^\n]*POSTIL_DEMO_DIR[^\n]*\n$/);
    assert.deepEqual(await fingerprint(path.dirname(folder)), previous);
  }
});
