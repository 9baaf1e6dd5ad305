import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../child-environment.ts';
import { makeRepository } from '../git-repository.ts';
import { startDouble, until as untilWithin } from '../hosts/connected-host.ts';
import { deliverTo } from '../hosts/connected-process.ts';
import { addGitRepository } from '../hosts/forge/forge-repository.ts';
import { fillForge, hostToken } from '../hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../hosts/gitea/gitea-double.ts';
import { createTestDatabase, urlOf } from '../postgres.ts';
import { createPostilProcess } from '../postil-process.ts';
import { addHostileEntries, hostileDiff, hostileFiles, isFull, slowRule } from './corpus.ts';
import { besideHealth } from './measured-health.ts';

// Whatever a change contains, the review ends within its limits and the server goes on serving others.

const long = { timeout: isFull ? 3_600_000 : 900_000 };
const main = path.join(import.meta.dirname, '../../src/cli/main.ts');
const maxSeconds = isFull ? 60 : 300;
const until = (condition: () => Promise<boolean>) => untilWithin(condition, long.timeout);
const figures = (what: string, said: object) => process.stdout.write(`# ${what}: ${JSON.stringify(said)}\n`);

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const own = text.split(' ').filter(Boolean).map(Number);
  return [...own, ...(await Promise.all(own.map(childrenOf))).flat()];
}

async function untilGone(pids: readonly number[]): Promise<void> {
  for (const pid of pids)
    for (;;) {
      try {
        process.kill(pid, 0);
      } catch {
        break;
      }
      await sleep(20);
    }
}

const copy = await makeRepository({ 'readme.md': 'A project.\n' });
await copy.git('checkout', '--quiet', '-b', 'topic');
await copy.write(hostileFiles());
await addHostileEntries(copy.folder, copy.git);
await copy.git('commit', '--quiet', '--message', 'hostile');

function reviewHere(given: string[] = []) {
  return spawn(process.execPath, [main, 'review', '--format', 'json', '--base', 'main', ...given], {
    cwd: copy.folder,
    env: { ...childEnvironment, POSTIL_REVIEW_MAX_SECONDS: String(maxSeconds) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

interface ShownRun {
  readonly status: string;
  readonly reason: string | null;
  readonly findings: readonly { readonly path: string }[];
  readonly coverage: readonly {
    readonly path: string;
    readonly state: string;
    readonly reason: string | null;
  }[];
}

/** Checks what must hold for every run over the corpus, however it was started. */
function checkRun({ status, reason, findings, coverage }: ShownRun): void {
  assert.equal(status, 'degraded', reason ?? '');
  const of = new Map(coverage.map((entry) => [entry.path, entry]));
  assert.equal(of.size, coverage.length, 'every file is covered once');
  assert.ok(findings.length <= 1_000, `${findings.length} findings`);
  const manyIn = findings.filter(({ path: name }) => name === 'src/many.js').length;
  const many = of.get('src/many.js');
  // A small corpus is reviewed within the limits; a large one may exceed them before this file.
  if (!isFull) assert.deepEqual([manyIn, many?.reason], [200, 'too_many_findings']);
  else assert.ok(manyIn <= 200);
  for (const { path: name, state, reason: why } of coverage)
    if (state !== 'full') assert.ok(why !== null, `${name} says why`);
}

test('postil review survives the corpus', long, async () => {
  const started = performance.now();
  const child = reviewHere();
  const [out, err] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close'),
  ]);
  const said = Buffer.concat(err).toString();
  const run = JSON.parse(Buffer.concat(out).toString() || '{}');
  figures('postil review', {
    seconds: (performance.now() - started) / 1000,
    findings: run.findings?.length,
    reason: run.reason,
  });
  assert.ok([0, 1].includes(child.exitCode!), said);
  checkRun(run);
  const reasonOf = (name: string) =>
    run.coverage.find(({ path: known }: { path: string }) => known === name)?.reason;
  for (const name of ['src/passwd.js', 'src/out', 'vendored'])
    assert.equal(reasonOf(name), 'no_rule_for_language', name);
  assert.ok(!run.coverage.some(({ path: name }: { path: string }) => name.includes('.git/')));
  if (!isFull) assert.equal(reasonOf('src/caf\\xE9.js'), null, 'a name that is no UTF-8');
});

for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)
  test(
    `${signal} ends postil review with ${code}, without a result and with nothing left running`,
    long,
    async () => {
      const child = reviewHere();
      const printed = child.stdout.toArray();
      let started: number[] = [];
      // Waits for the middle of the work: a review process that has started Git.
      while (started.length < 2) {
        assert.equal(child.exitCode, null, 'it is not over yet');
        started = await childrenOf(child.pid!);
        await sleep(5);
      }
      started = await childrenOf(child.pid!);
      const asked = performance.now();
      child.kill(signal);
      await once(child, 'exit');
      figures(signal, { milliseconds: Math.round(performance.now() - asked), processes: started.length });
      assert.equal(child.exitCode, code);
      assert.equal(Buffer.concat(await printed).toString(), '');
      await untilGone(started);
    },
  );

const host = await startDouble(new GiteaDouble());
const forge = fillForge(host);
const { database, target, drop } = await createTestDatabase();
const { sql } = database;
const postil = await createPostilProcess({
  DATABASE_URL: urlOf(target),
  POSTIL_REVIEW_MAX_SECONDS: String(maxSeconds),
});
after(async () => {
  await postil.remove();
  await drop();
});

test(
  'a server survives the corpus, sent as a diff and as a pull request, and serves other requests meanwhile',
  long,
  async () => {
    await postil.start();
    const git = await addGitRepository(host, forge.acme, 'project', { 'readme.md': 'A project.\n' });
    const connected = await postil.call('POST', '/operator/v1/connections', {
      provider: 'gitea',
      url: host.url,
      instance: 'git',
      credentials: { token: hostToken },
      organizations: ['acme'],
      review: 'on',
    });
    assert.equal(connected.status, 201, JSON.stringify(connected.json));
    const id = String(git.repository.id);
    await until(
      async () =>
        (await sql`SELECT 1 FROM repositories WHERE provider_repository_id = ${id} AND active`).length > 0 &&
        host.state.organizations[0]!.hooks.length > 0,
    );
    const made = await postil.call('POST', '/operator/v1/keys', {
      kind: 'user',
      name: 'ada',
      provider: 'gitea',
      org_id: String(forge.acme.id),
      instance: 'git',
      owner: String(forge.ada.id),
    });
    const key: string = made.json.value;
    assert.ok(key, JSON.stringify(made.json));
    // The setting of an admin.
    await sql`
    INSERT INTO review_settings (organization_id, other_reviewers, ast_grep_rules, allow_mcp_for_forks, defaults, updated_at)
    SELECT organization_id, '{}', ${[slowRule]}::text[], false, '{}', now() FROM repositories
    WHERE provider_repository_id = ${id}`;
    const ended = async (runId: string): Promise<ShownRun> => {
      await until(
        async () =>
          (await sql`SELECT 1 FROM review_runs WHERE id = ${runId} AND finished_at IS NOT NULL`).length > 0,
      );
      return (await postil.call('GET', `/v1/reviews/${runId}`, undefined, key)).json;
    };

    // The commit with all entries that only Git can represent.
    await copy.git('push', '--quiet', '--force', git.bare, 'topic:refs/heads/hostile');
    await git.git('fetch', '--quiet', git.bare, 'hostile:hostile');
    const base = await git.git('rev-parse', 'main');
    const tree = await git.git('rev-parse', 'hostile^{tree}');
    const head = await git.git('commit-tree', tree, '-p', base, '-m', 'hostile');
    const pull = await git.open(forge.ada, head);
    const reviewed = await besideHealth(postil.url(), async () => {
      await deliverTo(postil, host.takeDeliveries());
      await until(
        async () =>
          (await sql`SELECT 1 FROM review_runs WHERE pull_request IS NOT NULL AND finished_at IS NOT NULL`)
            .length > 0,
      );
      const [run] = await sql`SELECT id FROM review_runs WHERE pull_request IS NOT NULL`;
      return ended(run!.id);
    });
    figures('pull request', {
      ...reviewed.health,
      reason: reviewed.result.reason,
      findings: reviewed.result.findings.length,
      serverMebibytes: Math.round(await postil.peakMebibytes()),
    });
    checkRun(reviewed.result);
    assert.ok(reviewed.health.answers > 10);
    assert.ok(host.state.threads(pull).length > 0, 'comments are posted');

    // After the review its author has a seat, and may send changes.
    const diff = hostileDiff(isFull ? 4_900_000 : 2_000_000, isFull ? 4_900 : 100);
    const sent = await besideHealth(postil.url(), async () => {
      const answer = await postil.call('POST', '/v1/reviews', { repository_id: id, diff }, key);
      assert.equal(answer.status, 202, JSON.stringify(answer.json));
      return ended(answer.json.id);
    });
    figures('POST /v1/reviews', {
      ...sent.health,
      reason: sent.result.reason,
      findings: sent.result.findings.length,
    });
    checkRun(sent.result);
    assert.ok(sent.health.answers > 10);

    const left = await childrenOf(postil.pid());
    await postil.kill();
    await untilGone(left);
  },
);
