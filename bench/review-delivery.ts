// Measures the latency of a review by rules alone: from the host's delivery to the final status at the host, when comments and
// summary are posted. The server is a process of its own with a PostgreSQL that syncs to disk; a double of Gitea with real
// repositories runs in this process. The baseline is a build job: clone, and run the linters.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import type { ForgePull } from '../test/hosts/forge/forge-data.ts';
import { fillForge, hostToken } from '../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../test/hosts/gitea/gitea-double.ts';
import { urlOf } from '../test/postgres.ts';
import { startServer } from './metrics/server-process.ts';
import { findLinters } from './review/linters.ts';
import { sampleChange, startRepository } from './review/sample-change.ts';

const run = promisify(execFile);
const goalSeconds = 5;
const rounds = Number(process.argv[2] ?? 7);

const folder = await mkdtemp(path.join(tmpdir(), 'postil-bench-'));
const postgres = await startEmbeddedPostgres({ directory: folder, durable: true });
const database = openDatabase(postgres.target, { maxConnections: 2 });
const host = await new GiteaDouble().start();
const forge = fillForge(host);
const copy = await startRepository();
const bare = path.join(folder, 'project.git');
await run('git', ['clone', '--quiet', '--bare', copy.folder, bare]);
const repository = host.state.addRepository(forge.acme, 'project', { folder: bare });
const linters = await findLinters();
const server = await startServer({
  DATABASE_URL: urlOf(postgres.target),
  POSTIL_DATA_DIR: path.join(folder, 'data'),
});

/** Opens a pull request with a change of 1,000 lines. */
async function openPull(number: number): Promise<ForgePull> {
  const branch = `topic-${number}`;
  await copy.git('checkout', '--quiet', '-b', branch, 'main');
  await copy.write(sampleChange(number));
  await copy.git('add', '.');
  await copy.git('commit', '--quiet', '-m', branch);
  const [head, base] = [await copy.git('rev-parse', 'HEAD'), await copy.git('rev-parse', 'main')];
  await copy.git('push', '--quiet', bare, `HEAD:refs/heads/${branch}`, `HEAD:refs/pull/${number}/head`);
  const pull = host.state.open(repository, forge.ada, { head, base: { sha: base, ref: 'main' } });
  pull.diff = `${await copy.git('diff', `main...${branch}`)}\n`;
  return pull;
}

const deliveredAt = new Map<number, number>();
const at = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!;

/** The seconds from the delivery until the host shows the end of the review. */
async function reviewedIn(pull: ForgePull): Promise<number> {
  const head = pull.commits.at(-1)!.sha;
  const started = performance.now();
  deliveredAt.set(pull.number, Date.now());
  for (const { url, headers, body } of host.takeDeliveries()) {
    const hook = new URL(new URL(url).pathname, server.url);
    const { status } = await fetch(hook, { method: 'POST', headers, body });
    if (status !== 202) throw new Error(`a delivery was answered ${status}`);
  }
  while (!repository.statuses.some(({ sha, state }) => sha === head && state !== 'pending')) await sleep(5);
  const seconds = (performance.now() - started) / 1_000;
  if (host.state.threads(pull).length !== 1 || pull.comments.length !== 1)
    throw new Error('the review was not published whole');
  return seconds;
}

/** The median seconds from the deliveries until a run was created, until it started, and until it ended. */
async function readPhases(): Promise<string> {
  const runs = await database.sql<{ number: number; at: [Date, Date, Date] }[]>`
    SELECT pull_request AS number, ARRAY[created_at, started_at, finished_at] AS at FROM review_runs`;
  const median = (step: number) =>
    at(
      runs.map(({ number, at }) => at[step]!.getTime() - deliveredAt.get(number)!),
      0.5,
    ) / 1_000;
  return `queued after ${median(0).toFixed(2)} s, begun after ${median(1).toFixed(2)} s, ended after ${median(2).toFixed(2)} s`;
}

/** The seconds for a clone of the branch like in a build, and for running the linters on it. */
async function lintedIn(number: number): Promise<number> {
  const clone = path.join(folder, `clone-${number}`);
  const started = performance.now();
  await run('git', ['clone', '--quiet', '--depth=1', `--branch=topic-${number}`, `file://${bare}`, clone]);
  await linters.run(clone);
  return (performance.now() - started) / 1_000;
}

try {
  const { id } = await server.operator('POST', '/connections', {
    provider: 'gitea',
    url: host.url,
    credentials: { token: hostToken },
    organizations: ['acme'],
    review: 'on',
  });
  while ((await server.operator('GET', `/connections/${id}`)).health.last_read_at === null) await sleep(50);
  while (forge.acme.hooks.length === 0) await sleep(50);
  host.takeDeliveries();
  const [reviews, others]: number[][] = [[], []];
  for (let number = 1; number <= rounds + 1; number += 1) {
    const seconds = await reviewedIn(await openPull(number));
    const alone = await lintedIn(number);
    // The first review also creates the mirror and loads the code for reviews.
    if (number === 1) process.stdout.write(`first review of a repository: ${seconds.toFixed(2)} s\n`);
    else {
      reviews!.push(seconds);
      others!.push(alone);
    }
  }
  const slowest = at(reviews!, 1);
  process.stdout.write(
    `delivery to published review, 1,000 lines: ${at(reviews!, 0.5).toFixed(2)} s (median of ${rounds}), ${slowest.toFixed(2)} s (slowest); ` +
      `goal ${goalSeconds} s: ${slowest < goalSeconds ? 'met' : 'MISSED'} (load of the machine ${loadavg()[0]!.toFixed(1)})\n` +
      `  ${await readPhases()}\n` +
      `  clone, then ${linters.names.join(', ')}${linters.missing.length === 0 ? '' : ` (not on this machine: ${linters.missing.join(', ')})`}: ` +
      `${at(others!, 0.5).toFixed(2)} s (median), nothing posted; ratio ${(at(reviews!, 0.5) / at(others!, 0.5)).toFixed(2)}\n`,
  );
} finally {
  await server.stop();
  await host.stop();
  await database.close();
  await postgres.stop();
  await copy.remove();
  await rm(folder, { recursive: true, force: true });
}
