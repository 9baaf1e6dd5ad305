import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, mock, test } from 'node:test';
import { runCommand } from '../../../test/command-line.ts';
import { operatorToken, startTestApp } from '../../../test/harness.ts';
import { deliver, settled, startDouble, until } from '../../../test/hosts/connected-host.ts';
import { fillForge, hostToken } from '../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../test/hosts/gitea/gitea-double.ts';
import { removeFolder } from '../../../test/remove-folder.ts';
import { runProgram } from '../program.ts';

const home = await mkdtemp(path.join(tmpdir(), 'postil-connections-'));
after(() => removeFolder(home));
const inHome = async (name: string, text: string) => {
  await writeFile(path.join(home, name), text);
  return path.join(home, name);
};
const tokenFile = await inHome('token', `${hostToken}\n`);

const app = await startTestApp();
app.now = new Date();
const url = await app.app.server.listen({ host: '127.0.0.1', port: 0 });
const gitea = await startDouble(new GiteaDouble());
const forge = fillForge(gitea);
await app.queue.startWorkers();

const variables = { POSTIL_URL: url, POSTIL_OPERATOR_TOKEN: operatorToken };
Object.assign(process.env, variables);
const run = (line: string, input?: string) =>
  runCommand(['connections', ...line.split(' ')], variables, input);
const host = `--provider gitea --url ${gitea.url}`;

/** Runs in this process, for commands that print nothing and end immediately. */
async function runHere(line: string): Promise<{ code: number; err: string }> {
  let err = '';
  const write = mock.method(process.stderr, 'write', (text: string) => {
    err += text;
    return true;
  });
  const code = await runProgram(['connections', ...line.split(' ')]).finally(() => write.mock.restore());
  return { code, err };
}

async function add(): Promise<string> {
  const { code, out, err } = await run(
    `add ${host} --token-file ${tokenFile} --orgs acme --review off --wait`,
  );
  assert.equal(code, 0, err);
  return out.trim();
}

test('an account is connected with a token from standard input, and --wait ends once its data has been read', async () => {
  const forgejo = `--provider forgejo --url ${gitea.url}`;
  const { code, out, err } = await run(`add ${forgejo} --token-stdin --orgs acme --wait`, `${hostToken}\n`);
  assert.equal(code, 0, err);
  assert.match(out, /^[0-9a-f-]{36}\n$/, 'the id alone, for scripts');
  assert.match(err, /^Connected to gitea at .* as postil-bot: acme\n/, 'to Postil, Forgejo is a Gitea');
  assert.match(err, /Webhook secret: \S{32}/);
  const repositories = await app.database.sql`SELECT name FROM repositories`;
  assert.deepEqual(repositories.map(({ name }) => name).sort(), ['app', 'attic', 'vault']);
  const shown = JSON.parse((await run(`show ${out.trim()} --json`)).out);
  assert.equal(shown.status, 'ready');
  assert.ok(shown.synced_at !== null);
  const lines = (await run(`show ${out.trim()}`)).out;
  assert.match(lines, /^Review: +on$/m);
  assert.ok(lines.includes(`Created:        ${shown.created_at.replace(/\.\d+Z$/, 'Z')}`), lines);
  assert.equal((await run(`remove ${out.trim()}`)).code, 0);
});

test('no secret is accepted on the command line', async () => {
  for (const option of ['--token', '--private-key', '--webhook-secret']) {
    const { code, err } = await runHere(`add ${host} ${option} secret-of-mine`);
    assert.equal(code, 2);
    assert.match(err, /unknown option/);
  }
});

describe('incorrect usage exits with 2 and connects nothing', async () => {
  const empty = await inHome('empty', '\n');
  for (const [line, message] of [
    [`add ${host}`, /--token-file/],
    [`add ${host} --token-file ${tokenFile} --token-stdin`, /either --token-file or --token-stdin/],
    [`add ${host} --token-stdin --webhook-secret-stdin`, /Only one secret/],
    [`add ${host} --app-id 1 --token-file ${tokenFile}`, /either a token or --app-id/],
    [`add ${host} --app-id 1`, /both --app-id and --private-key-file/],
    [`add ${host} --token-file ${tokenFile} --installation-id 1`, /needs --app-id/],
    [`add ${host} --token-file ${empty}`, /is empty/],
    ['add --provider bitbucket --token-stdin', /github, gitlab, gitea, forgejo/],
    [`add --provider gitea --token-file ${tokenFile}`, /--url: is required/],
    [`add ${host} --token-file ${tokenFile} --seats many`, /whole number/],
    [`add ${host} --token-file ${tokenFile} --orgs acme,,other`, /between two commas/],
    ['update 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071', /Nothing to change/],
    ['show nonsense', /id: must be a UUID/],
    ['backfill 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071 --since yesterday', /--since/],
    ['replay 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071', /--failed/],
    ['deliveries 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071 --status lost', /waiting, done, ignored, failed/],
  ] as const)
    test(line.replaceAll(home, '').replace(gitea.url, 'http://host'), async () => {
      const { code, err } = await runHere(line);
      assert.equal(code, 2, err);
      assert.match(err, message);
      assert.deepEqual([...(await app.database.sql`SELECT 1 FROM connections`)], []);
    });
});

test('a rejection by the host is reported with its message, without the token', async () => {
  const { code, err } = await run(`add ${host} --token-stdin`, 'wrong-token-of-somebody');
  assert.equal(code, 1);
  assert.ok(err.includes(`${new URL(gitea.url).host} answered 401: user does not exist`), err);
  assert.ok(!err.includes('wrong-token-of-somebody'));
  assert.equal((await run(`add ${host} --token-file ${path.join(home, 'nowhere')}`)).code, 1);
});

test('a connection is listed, shown, checked, paused, resumed, changed and removed', async () => {
  const id = await add();
  assert.match((await run('list')).out, new RegExp(`^ID .*\\n${id}  gitea .*postil-bot  ready   1 `));
  assert.equal(JSON.parse((await run('list --json')).out)[0].id, id);
  assert.match((await run(`show ${id}`)).out, /^Status: +ready$/m);
  app.now = new Date(); // the check compares it with the host's clock
  const check = await run(`check ${id}`);
  assert.match(check.out, /^ok {4}credentials: signed in as postil-bot$/m);
  assert.equal(check.code, 0, check.out);
  forge.acme.hooks.length = 0;
  const failed = await run(`check ${id}`);
  assert.match(failed.out, /^FAIL {2}webhook of acme: no webhook calls/m);
  assert.deepEqual([failed.code, failed.err], [1, '1 check failed\n']);
  assert.equal((await run(`pause ${id}`)).out, `Paused ${id}\n`);
  const paused = await run(`sync ${id} --wait`);
  assert.equal(paused.code, 1);
  assert.match(
    paused.err,
    new RegExp(`^The connection is paused; ".* connections resume ${id}" resumes it\n$`),
  );
  assert.equal((await run(`resume ${id}`)).out, `Resumed ${id}\n`);
  assert.equal((await run(`update ${id} --orgs acme,other --token-file ${tokenFile}`)).code, 0);
  await settled(app);
  app.now = new Date(app.now.getTime() + 60_000);
  assert.equal((await run(`sync ${id} --wait`)).out, 'Synced acme, other\n');
  assert.equal((await run(`remove ${id}`)).out, `Removed ${id}\n`);
  assert.equal((await run(`show ${id}`)).code, 1);
});

test('a host that rejects requests during a sync ends --wait with its reason', async () => {
  const id = await add();
  gitea.tokens.delete(hostToken);
  // Time goes on: with a clock that stands still, an error of other work has the time of the sync's own.
  const clock = setInterval(() => (app.now = new Date(app.now.getTime() + 1_000)), 100);
  const { code, err } = await run(`sync ${id} --wait`).finally(() => clearInterval(clock));
  gitea.tokens.set(hostToken, forge.account);
  assert.equal(code, 1);
  assert.match(err, /user does not exist/);
  assert.ok(err.includes(`connections check ${id}" shows`), err);
  await run(`remove ${id}`);
});

test('a backfill reads the pull requests that were merged or closed since a date', async () => {
  const id = await add();
  for (let number = 0; number < 3; number += 1)
    gitea.state.end(gitea.state.open(forge.app, forge.ada), 'merged');
  const scheduled = await run(`backfill ${id} --since 2001-01-01`);
  assert.match(scheduled.out, new RegExp(`connections show ${id}" shows its progress\n$`));
  const { code, out, err } = await run(`backfill ${id} --since 2000-01-01 --wait`);
  assert.equal(code, 0, err);
  assert.match(out, /^Read 3 pull requests merged or closed since 2000-01-01\n$/);
  assert.match((await run(`show ${id}`)).out, /^Backfill: +done, since 2000-01-01: 3 of 3 pull requests$/m);
  await run(`remove ${id}`);
});

test('deliveries are listed by status, and failed ones can be processed again', async () => {
  const id = await add();
  gitea.takeDeliveries();
  gitea.state.open(forge.app, forge.ada);
  for (const delivery of gitea.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
  await settled(app);
  await app.database.sql`UPDATE hook_deliveries SET status = 'failed', error = 'given up'`;
  const listed = await run(`deliveries ${id} --status failed`);
  assert.match(
    listed.out,
    /^ID +RECEIVED +EVENT +STATUS +ATTEMPTS +ERROR\n[0-9a-f-]{36} .* failed +\d+ +given up\n/,
  );
  const [first] = JSON.parse((await run(`deliveries ${id} --json --limit 1`)).out);
  assert.equal((await run(`replay ${id} ${first.id}`)).out, '1 delivery will be processed again\n');
  assert.match((await run(`replay ${id} --failed`)).out, /(delivery|deliveries) will be processed again\n$/);
  await settled(app);
  await until(
    async () => JSON.parse((await run(`deliveries ${id} --status failed --json`)).out).length === 0,
  );
  await run(`remove ${id}`);
});
