import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connectionsPath } from '../hosts/connected-host.ts';
import { createPostilProcess } from '../postil-process.ts';
import { removeFolder } from '../remove-folder.ts';
import { eventually } from './eventually.ts';
import { fixedAddress, longTestMs, startForgejo } from './forgejo.ts';
import { safe, sharedDefault, unsafe } from './sample-code.ts';

const program = process.env.POSTIL_FORGEJO;
assert.ok(program, 'POSTIL_FORGEJO must be the path of a Forgejo program');
const forge = await startForgejo(program);
after(() => forge.stop());
const postil = await createPostilProcess(await fixedAddress());
after(() => postil.remove());
const folder = await mkdtemp(path.join(tmpdir(), 'postil-live-reviews-'));
after(() => removeFolder(folder));

const run = promisify(execFile);
const git = async (...given: string[]) =>
  (
    await run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@people.test', ...given], { cwd: folder })
  ).stdout.trim();
const repository = '/repos/gamma/app';

async function commit(files: Record<string, string>, message: string): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  await git('add', '.');
  await git('commit', '--quiet', '-m', message);
}

interface Run {
  readonly id: string;
  readonly status: string;
  readonly head_revision: string;
}

/** The review of this head once it has ended; undefined if the head needs none, because its patch was reviewed before. */
async function endedRun(key: string, number: number, head: string): Promise<Run> {
  return eventually(`a review of ${head}`, async () => {
    const { json } = await postil
      .call('GET', '/v1/reviews?limit=100', undefined, key)
      .catch(() => ({ json: undefined }));
    return (json?.data as (Run & { pull_request: number })[] | undefined)?.find(
      (one) =>
        one.pull_request === number &&
        one.head_revision === head &&
        !['queued', 'running'].includes(one.status),
    );
  });
}

interface LineComment {
  readonly path: string;
  readonly position: number;
  readonly body: string;
}

/** Fetches everything that the account has written on the pull request. */
async function shownOn(number: number) {
  const reviews = (await forge.call('GET', `${repository}/pulls/${number}/reviews?limit=50`)) as {
    id: number;
    user: { login: string };
  }[];
  const own = reviews.filter(({ user }) => user.login === 'postil-bot');
  const comments: LineComment[] = [];
  for (const { id } of own)
    comments.push(
      ...((await forge.call('GET', `${repository}/pulls/${number}/reviews/${id}/comments`)) as LineComment[]),
    );
  const conversation = (
    (await forge.call('GET', `${repository}/issues/${number}/comments`)) as {
      id: number;
      user: { login: string };
      body: string;
    }[]
  ).filter(({ user }) => user.login === 'postil-bot');
  return { reviews: own, comments, conversation };
}

const about = (comments: readonly LineComment[], file: string) => comments.filter((one) => one.path === file);

test('a real forge shows reviews: on the right lines, never twice, whatever is pushed, rebased, doubled or killed', {
  timeout: longTestMs,
}, async () => {
  await forge.call('POST', '/admin/users', {
    username: 'ada',
    email: 'ada@people.test',
    password: 'correct horse battery',
    must_change_password: false,
  });
  await forge.call('POST', '/orgs', { username: 'gamma' });
  const settings = { name: 'app', private: true, auto_init: true, default_branch: 'main' };
  await forge.call('POST', '/orgs/gamma/repos', settings);
  const [owners] = (await forge.call('GET', '/orgs/gamma/teams')) as [{ id: number }];
  await forge.call('PUT', `/teams/${owners.id}/members/ada`);

  await postil.start();
  const connection = {
    provider: 'gitea',
    url: forge.url,
    credentials: { token: forge.token },
    organizations: ['gamma'],
  };
  const connected = await postil.call('POST', connectionsPath, connection);
  assert.equal(connected.status, 201, JSON.stringify(connected.json));
  const at = `${connectionsPath}/${connected.json.id}`;
  await eventually('the sync', async () => (await postil.call('GET', at)).json.synced_at ?? undefined);
  const { organizations } = (await postil.call('GET', '/operator/v1/platform')).json;
  const [gamma] = organizations;
  const ada = gamma.members.find(({ username }: { username: string }) => username === 'ada');
  const created = await postil.call('POST', '/operator/v1/keys', {
    kind: 'organization',
    name: 'live',
    provider: 'gitea',
    org_id: gamma.provider_organization_id,
    instance: gamma.instance,
    owner: ada.user_id,
  });
  const key = created.json.value as string;

  const address = new URL(`${forge.url}/gamma/app.git`);
  address.username = 'ada';
  address.password = 'correct horse battery';
  await run('git', ['clone', '--quiet', address.href, folder]);
  await git('checkout', '--quiet', '-b', 'topic');
  await commit({ 'src/load.ts': unsafe('load'), 'src/total.py': sharedDefault }, 'load and total');
  await git('push', '--quiet', 'origin', 'topic');
  const asAda = async <Value>(at: string, body: object): Promise<Value> => {
    const answer = await fetch(`${forge.url}/api/v1${repository}${at}`, {
      method: 'POST',
      headers: { authorization: `token ${forge.token}`, sudo: 'ada', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, `${answer.status} ${await answer.clone().text()}`);
    return (await answer.json()) as Value;
  };
  const { number } = await asAda<{ number: number }>('/pulls', {
    head: 'topic',
    base: 'main',
    title: 'Load and total',
  });

  const first = await endedRun(key, number, await git('rev-parse', 'HEAD'));
  assert.equal(first.status, 'succeeded');
  const afterFirst = await shownOn(number);
  assert.equal(afterFirst.reviews.length, 1, 'one review');
  assert.deepEqual(afterFirst.comments.map((one) => `${one.path}:${one.position}`).sort(), [
    'src/load.ts:5',
    'src/total.py:1',
  ]);
  assert.equal(afterFirst.conversation.length, 1, 'one summary');
  const statuses = async (head: string) =>
    (
      (await forge.call('GET', `${repository}/commits/${head}/statuses`)) as {
        context: string;
        status: string;
      }[]
    ).filter(({ context }) => context === 'postil');
  assert.equal(
    (await statuses(first.head_revision))[0]!.status,
    'warning',
    'something major is open, below fail_on',
  );

  // One of the two faults is fixed, and the server is killed while it reviews the fix.
  await commit({ 'src/load.ts': safe('load') }, 'no finally');
  await git('push', '--quiet', 'origin', 'topic');
  const head = await git('rev-parse', 'HEAD');
  await eventually('the second run', async () => {
    const { json } = await postil.call('GET', '/v1/reviews?limit=100', undefined, key);
    return json.data.some((one: Run) => one.head_revision === head && one.status === 'running') ||
      json.data.some((one: Run) => one.head_revision === head && one.status === 'succeeded')
      ? true
      : undefined;
  });
  await postil.kill();
  await postil.start();
  const second = await endedRun(key, number, head);
  assert.equal(second.status, 'succeeded');
  const afterSecond = await shownOn(number);
  assert.equal(about(afterSecond.comments, 'src/total.py').length, 1, 'what is still there is not repeated');
  const answers =
    about(afterSecond.comments, 'src/load.ts').length +
    afterSecond.conversation.length -
    afterFirst.conversation.length;
  assert.equal(answers, 2, 'the finding, and one answer that it is gone');
  const summaries = afterSecond.conversation.filter(({ id }) => id === afterFirst.conversation[0]!.id);
  assert.equal(summaries.length, 1);
  assert.notEqual(summaries[0]!.body, afterFirst.conversation[0]!.body, 'the summary is edited in place');

  // The base gets a commit and the branch is rebased onto it, which changes the id of every commit.
  await git('checkout', '--quiet', 'main');
  await commit({ 'notes.md': 'Something else.\n' }, 'notes');
  await git('push', '--quiet', 'origin', 'main');
  await git('checkout', '--quiet', 'topic');
  await git('rebase', '--quiet', 'main');
  await git('push', '--quiet', '--force', 'origin', 'topic');
  const rebased = await git('rev-parse', 'HEAD');
  await eventually('a status of the rebased head', async () =>
    (await statuses(rebased)).find(({ status }) => status !== 'pending'),
  );
  const counts = ({ reviews, comments, conversation }: Awaited<ReturnType<typeof shownOn>>) => [
    reviews.length,
    comments.length,
    conversation.length,
  ];
  assert.deepEqual(counts(await shownOn(number)), counts(afterSecond), 'a rebase repeats nothing');

  // Replays all deliveries at once.
  const { data } = (await postil.call('GET', `${at}/deliveries?limit=100`)).json;
  for (const { id } of data)
    assert.equal((await postil.call('POST', `${at}/deliveries/${id}/replay`)).status, 202);
  await eventually('the deliveries', async () => {
    const { health } = (await postil.call('GET', at)).json;
    return health.waiting === 0 ? true : undefined;
  });
  await sleep(5_000);
  assert.deepEqual(counts(await shownOn(number)), counts(afterSecond), 'doubled deliveries repeat nothing');

  // A member talks to the account.
  const answered = (text: RegExp) =>
    eventually(`an answer like ${text}`, async () => {
      const { comments, conversation } = await shownOn(number);
      const found = [...comments, ...conversation].filter(
        ({ body }) => body.startsWith('<!-- postil:answer') && text.test(body),
      );
      return found.length > 0 ? found : undefined;
    });
  await asAda(`/issues/${number}/comments`, { body: '@Postil-Bot full review please' });
  await answered(/I am reviewing/);
  const asked = await eventually('the review that was asked for', async () => {
    const { json } = await postil.call('GET', '/v1/reviews?limit=100', undefined, key);
    return json.data.find(
      (one: Run & { trigger: string }) => one.trigger === 'comment' && one.status === 'succeeded',
    );
  });
  assert.equal(asked.mode, 'full');
  await asAda(`/pulls/${number}/reviews`, {
    event: 'COMMENT',
    body: '',
    comments: [{ path: 'src/total.py', new_position: 1, body: "Won't fix, this is by design." }],
  });
  await answered(/will not raise this again/);
  const declined = await eventually('the refusal', async () => {
    const answer = await postil.call('GET', `/v1/reviews/${first.id}`, undefined, key);
    return answer.json.findings.find(
      (one: { path: string; accepted: boolean | null }) =>
        one.path === 'src/total.py' && one.accepted === false,
    );
  });
  assert.equal(declined.state, 'dismissed');
  await asAda(`/issues/${number}/comments`, { body: '@postil-bot resolve' });
  await answered(/does not let me resolve|are resolved/);
  const { comments, conversation } = await shownOn(number);
  const answersGiven = [...comments, ...conversation].filter(({ body }) =>
    body.startsWith('<!-- postil:answer'),
  );
  assert.equal(answersGiven.length, 3, 'each once');

  await forge.call('POST', `${repository}/pulls/${number}/merge`, { Do: 'squash' });
  const today = new Date().toISOString().slice(0, 10);
  const metrics = await eventually('the merge in the metrics', async () => {
    const answer = await postil.call(
      'GET',
      `/v1/metrics/review-comments?start_date=${today}&end_date=${today}`,
      undefined,
      key,
    );
    return answer.json.data[0];
  });
  assert.equal(metrics.pr_url, `${forge.url}/gamma/app/pulls/${number}`);
  assert.equal(metrics.coderabbit_comments.length, 2);
  const fixed = await eventually('the outcome of what was fixed', async () => {
    const answer = await postil.call('GET', `/v1/reviews/${first.id}`, undefined, key);
    return answer.json.findings.find(
      (one: { path: string; accepted: boolean | null }) =>
        one.path === 'src/load.ts' && one.accepted !== null,
    );
  });
  assert.equal(fixed.accepted, true);
});
