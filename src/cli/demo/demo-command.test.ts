import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { childEnvironment } from '../../../test/child-environment.ts';
import { EmbeddedFolders } from '../../../test/embedded-folder.ts';
import { createTestDatabase } from '../../../test/postgres.ts';
import { removeFolder } from '../../../test/remove-folder.ts';
import { fromDashboard, password } from '../../../test/session.ts';
import { claimDemoFolder } from './claim-demo-folder.ts';
import { readRecording, recordingFile } from './recording.ts';

const folders = new EmbeddedFolders();
const home = await mkdtemp(path.join(tmpdir(), 'postil-demo-'));
before(() => folders.open());
after(async () => {
  await folders.close();
  await removeFolder(home);
});

const command = [path.join(import.meta.dirname, '../main.ts'), 'demo'];
const environmentOf = (variables: Record<string, string>) => ({
  ...childEnvironment,
  POSTIL_PORT: '0',
  ...variables,
});

/** The end of the last request that the demo prints. */
const lastRequest = "/v1/security/scans/code?limit=5'\n";

/** Starts the demo, and waits until it is ready or has ended. */
async function startDemo(variables: Record<string, string>) {
  const env = environmentOf(variables);
  const child = spawn(process.execPath, command, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const demo = {
    child,
    err: '',
    out: '',
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
  const ready = new Promise<void>((resolve) => {
    // The two streams may arrive in any order.
    const collect = (stream: 'out' | 'err') => (chunk: Buffer) => {
      demo[stream] += chunk;
      if (demo.err.includes('Stop with Ctrl-C') && demo.out.includes(lastRequest)) resolve();
    };
    child.stdout.on('data', collect('out'));
    child.stderr.on('data', collect('err'));
  });
  await Promise.race([ready, ended]);
  return demo;
}

/** Signs in with the link like a browser. Returns functions to call the dashboard's API for the demo's organization. */
async function signIn(err: string) {
  const link = new URL(/with this link: (\S+)\n/.exec(err)![1]!);
  const headers = { 'content-type': 'application/json', ...fromDashboard };
  const accepted = await fetch(`${link.origin}/dashboard/v1/invitations/accept`, {
    method: 'POST',
    headers: { ...headers, origin: link.origin },
    body: JSON.stringify({ token: link.hash.slice(1), password }),
  });
  assert.equal(accepted.status, 204, await accepted.text());
  const cookie = accepted.headers
    .getSetCookie()
    .map((text) => text.split(';', 1)[0]!)
    .join('; ');
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
  const get = async (address: string): Promise<any> => {
    const answer = await fetch(`${link.origin}/dashboard/v1/${address}`, { headers: { ...headers, cookie } });
    assert.equal(answer.status, 200, `${address}: ${answer.status}`);
    return answer.json();
  };
  const session = await get('session');
  const scope = `scope=organization:${session.organizations[0].id}`;
  return { session, get: (address: string) => get(`${address}${address.includes('?') ? '&' : '?'}${scope}`) };
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

test('the demo shows its story, and uses only its own folder whatever the environment names', async (context) => {
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

  const demo = await startDemo({
    POSTIL_DATA_DIR: real,
    DATABASE_URL: url,
    POSTIL_OPERATOR_TOKEN: 'the-token-of-real-data',
    POSTIL_PUBLIC_URL: 'https://postil.acme.test',
  });
  try {
    assert.match(demo.err, /demo is ready at http:\/\/127\.0\.0\.1:\d+ \(operator token: .*data-demo/);
    assert.match(demo.err, /a password of your choice, of at least 12 characters/);
    await checkCommands(demo.out);
    assert.match(demo.err, /link: http:\/\/127\.0\.0\.1/, 'the link leads to the demo');
    await checkStory(demo.err);
    const second = await startDemo({});
    assert.equal(second.child.exitCode, 1, second.err);
    assert.match(second.err, /^The data folder [^\n]* is in use by another Postil server[^\n]*\n$/);
  } finally {
    assert.equal(await demo.stop(), 0, demo.err);
  }
  assert.match(demo.err, /^Stopping: /m);
  assert.deepEqual([await fingerprint(real), await rows()], previous);
  assert.deepEqual(await readdir(home), ['data-demo']);

  const again = await startDemo({});
  try {
    const { get } = await signIn(again.err);
    assert.equal(
      (await get('inbox/summary')).waiting,
      told.waiting,
      'a further start goes on with what is there',
    );
    const said = await get('pull-requests/601/120/conversation');
    assert.deepEqual(
      said.comments.map(({ body }: { body: string }) => body),
      told.conversation,
    );
  } finally {
    assert.equal(await again.stop(), 0, again.err);
  }
});

/** Every printed request succeeds, and its answer can be read on a terminal. */
async function checkCommands(out: string): Promise<void> {
  const lines = out.trimEnd().split('\n');
  const requests = lines.filter((line) => !line.startsWith('#'));
  assert.equal(requests.length * 2, lines.length, out);
  for (const line of requests) {
    const [, name, key, url] = /^curl -s -H '([^:]+): (\S+)' '(\S+)'$/.exec(line)!;
    const answer = await fetch(url!, { headers: { [name!]: key! } });
    const { length } = await answer.text();
    assert.equal(answer.status, 200, line);
    assert.ok(length > 0 && length < 20_000, `${length} characters: ${line}`);
  }
}

/** Data of the first start, to compare with the next one. */
const told = { waiting: 0, conversation: [] as string[] };

/** Checks that the demo shows its data. */
async function checkStory(err: string): Promise<void> {
  const { session, get } = await signIn(err);
  assert.equal(session.is_being_set_up, false, 'people begin with their work');
  const summary = await get('inbox/summary');
  assert.ok(
    summary.waiting > 0 && summary.mine > 0 && summary.all > summary.waiting,
    JSON.stringify(summary),
  );
  told.waiting = summary.waiting;
  const { data: open } = await get('inbox?tab=all&limit=100');
  for (const { title } of open) assert.match(title, /^\w.{10}/);
  const failing = open.find(
    ({ checks, findings }: { checks: { state: string } | null; findings: { critical: number } }) =>
      checks?.state === 'failure' && findings.critical > 0,
  );
  assert.ok(failing, 'a gate holds up an open pull request');

  const { data: comments } = await get(`insights/comments?${window(180)}&limit=100`);
  assert.ok(comments.length === 100);
  for (const { title } of comments) assert.doesNotMatch(title ?? '', /^$|discussion_r|^Diff [0-9a-f]{6}$/);

  // The code that a finding quotes is in the server's copy of the repository, at its line.
  const review = await get(`reviews/${failing.review.id}`);
  const [finding] = review.findings.filter(
    ({ source }: { source: { kind: string } }) => source.kind === 'rule',
  );
  const place = `path=${encodeURIComponent(finding.path)}&side=new&start=${finding.start_line}&end=${finding.end_line}`;
  const { lines } = await get(`reviews/${failing.review.id}/lines?${place}`);
  const recorded = (await readRecording(new Date(), await recordedIds())).tables.review_run_findings;
  const { quote } = recorded.find(({ finding_id }) => finding_id === finding.finding_id)!;
  assert.ok(String(quote).includes(lines[0].trim()), `${quote} and ${JSON.stringify(lines)}`);

  const outcomes = await get('insights/pull-requests/601/118');
  assert.deepEqual(
    // Posted in one moment, so any of them can come first.
    outcomes.comments
      .map(({ accepted, signal }: { accepted: boolean; signal: string }) => [accepted, signal])
      .sort(),
    [
      [true, 'finding_gone'],
      [true, 'suggestion_landed'],
    ],
    'a push fixed what was found',
  );
  const { data: rules } = await get('reviews/rules?limit=1000');
  assert.ok(rules.some(({ state }: { state: string }) => state === 'quiet'));
  const shown = await get('pull-requests/601/125');
  const { report } = await get(`reviews/${shown.runs[0].id}`);
  assert.ok(
    report.dependencies.some(
      ({ vulnerabilities }: { vulnerabilities: unknown[] }) => vulnerabilities.length > 0,
    ),
  );
  const { content } = await get('digests/content');
  assert.ok(content !== null);
  const said = await get('pull-requests/601/120/conversation');
  told.conversation = said.comments.map(({ body }: { body: string }) => body);
  assert.ok(told.conversation.length > 2);
}

/** The ids in the recording itself. */
async function recordedIds() {
  return JSON.parse(gunzipSync(await readFile(recordingFile)).toString());
}

function window(days: number): string {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  return `start_date=${day(days)}&end_date=${day(0)}`;
}

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
    const { child, err } = await startDemo({ POSTIL_DEMO_DIR: folder });
    assert.equal(child.exitCode, 1, err);
    assert.match(err, /^[^\n]*POSTIL_DEMO_DIR[^\n]*\n$/);
    assert.deepEqual(await fingerprint(path.dirname(folder)), previous);
  }
});
