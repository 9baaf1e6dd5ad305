import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startDouble, until as untilWithin } from './hosts/connected-host.ts';
import { deliverTo } from './hosts/connected-process.ts';
import { addGitRepository } from './hosts/forge/forge-repository.ts';
import { fillForge, hostToken } from './hosts/forge/sample-forge.ts';
import { GiteaDouble } from './hosts/gitea/gitea-double.ts';
import type { Fault } from './hosts/host-double.ts';
import { createTestDatabase, urlOf } from './postgres.ts';
import { createPostilProcess } from './postil-process.ts';

/** With a long timeout, since it takes long to start a process and to take over the work of a killed one. */
const until = (condition: () => Promise<boolean>) => untilWithin(condition, 240_000);

// The host runs in this process, so it is not affected by the kills.
const host = await startDouble(new GiteaDouble());
const forge = fillForge(host);
const { database, target, drop } = await createTestDatabase();
const { sql } = database;
const postil = await createPostilProcess({ DATABASE_URL: urlOf(target) });
after(async () => {
  await postil.remove();
  await drop();
});

/** Never answers requests from this one on; resolves at the first. */
function stallAt(isAwaited: (...request: Parameters<Fault>) => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let hasStalled = false;
  host.fault = (request) => {
    hasStalled ||= isAwaited(request);
    if (hasStalled) resolve();
    return hasStalled ? 'stall' : undefined;
  };
  return promise;
}

async function killAndRestart(): Promise<void> {
  await postil.kill();
  host.fault = () => undefined;
  // Simulates that the leases of the killed process have expired.
  await sql`UPDATE nodes SET seen_at = seen_at - interval '1 minute'`;
  await postil.start();
}

const unsafe = (name: string) =>
  `export function ${name}(value: string): string {\n  try {\n    return value.trim();\n  } finally {\n    return '';\n  }\n}\n`;

const fileCount = 3_000;

test('kill -9 while a pull request of 3,000 files is fetched, reviewed and published: the run ends within its memory, every file is covered, and nothing is posted twice', {
  timeout: 900_000,
}, async () => {
  await postil.start();
  const git = await addGitRepository(host, forge.acme, 'project', { 'readme.md': 'A project.\n' });
  const connected = await postil.call('POST', '/operator/v1/connections', {
    provider: 'gitea',
    url: host.url,
    credentials: { token: hostToken },
    organizations: ['acme'],
    review: 'on',
  });
  assert.equal(connected.status, 201, JSON.stringify(connected.json));
  const isKnown = () =>
    sql`SELECT 1 FROM connection_repositories s JOIN repositories r ON r.organization_id = s.organization_id
      AND r.id = s.repository_id WHERE r.provider_repository_id = ${String(git.repository.id)}`;
  await until(async () => (await isKnown()).length > 0 && host.state.organizations[0]!.hooks.length > 0);

  await git.git('checkout', '--quiet', '-b', 'topic');
  const clean = Array.from({ length: fileCount - 3 }, (_, index) => [
    `src/part-${index}.ts`,
    `export const part${index} = ${index};\n`,
  ]);
  const faulty = ['a', 'b', 'c'].map((name) => [`src/${name}.ts`, unsafe(name)]);
  await git.commit(Object.fromEntries([...clean, ...faulty]));
  const pull = await git.open(forge.ada, 'topic');

  const fetching = stallAt(({ path }) => path.endsWith('/git-upload-pack'));
  await deliverTo(postil, host.takeDeliveries());
  await fetching;
  await killAndRestart();

  await until(async () => (await sql`SELECT 1 FROM review_run_work WHERE stages ? 'pending'`).length > 0);
  const threads = () => host.state.threads(pull);
  assert.equal(threads().length, 0, 'it is killed before anything is posted');
  await killAndRestart();

  const isSummary = ({ method, path }: Parameters<Fault>[0]) =>
    method === 'POST' && path.endsWith(`/issues/${pull.number}/comments`);
  await stallAt(isSummary);
  assert.equal(threads().length, 3, 'it is killed when a part is posted');
  assert.equal(pull.comments.length, 0);
  const peak = await postil.peakMebibytes();
  assert.ok(peak < 500, `${peak.toFixed(0)} MiB`);
  await killAndRestart();

  await until(async () => (await sql`SELECT 1 FROM review_runs WHERE finished_at IS NULL`).length === 0);
  const runs = await sql`SELECT status, reason, attempts, status_due, coverage FROM review_runs`;
  assert.deepEqual(
    runs.map((run) => [run.status, run.reason, run.attempts, run.status_due]),
    [['succeeded', null, 3, false]],
  );
  const coverage = runs[0]!.coverage as { path: string; state: string }[];
  const covered = coverage.filter(({ state }) => state === 'full').map(({ path }) => path);
  assert.deepEqual(covered.toSorted(), [...clean, ...faulty].map(([name]) => name!).toSorted());
  assert.deepEqual(
    threads()
      .map(([first]) => first!.place.path)
      .toSorted(),
    ['src/a.ts', 'src/b.ts', 'src/c.ts'],
  );
  assert.equal(pull.comments.length, 1, 'one summary');
  assert.deepEqual(
    git.repository.statuses.map(({ state }) => state),
    ['pending', 'warning'],
  );
});
