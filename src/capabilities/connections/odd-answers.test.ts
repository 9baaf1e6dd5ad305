import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { operatorToken, startTestApp } from '../../../test/harness.ts';
import {
  connect,
  connectionsPath,
  deliver,
  settled,
  show,
  startDouble,
  until,
  untilSteady,
} from '../../../test/hosts/connected-host.ts';
import { fillForge, hostToken } from '../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../test/hosts/gitea/gitea-double.ts';
import { GitHubDouble } from '../../../test/hosts/github/github-double.ts';
import { GitLabDouble } from '../../../test/hosts/gitlab/gitlab-double.ts';
import { portOf } from '../../../test/late-caller.ts';

const app = await startTestApp();
const gitea = await startDouble(new GiteaDouble());
const gitlab = await startDouble(new GitLabDouble());
const github = await startDouble(new GitHubDouble());
const forge = fillForge(gitea);
await app.queue.startWorkers();
const { sql } = app.database;

const doubles = { gitea, gitlab, github };
const lists = { gitea: '/user/orgs', gitlab: '/groups', github: '/user/orgs' };
const request = (provider: keyof typeof doubles) => ({
  provider,
  url: doubles[provider].url,
  credentials: { token: hostToken },
});
const connections = async () => (await sql`SELECT id FROM connections`).length;
/** Words of an exception, which nobody outside the project understands. */
const exceptionText = /undefined|null|destructure|properties|not a function|iterable|Invalid/;

for (const provider of ['gitea', 'gitlab', 'github'] as const) {
  const account = { id: 1, login: 'postil-bot', username: 'postil-bot' };

  test(`${provider}: a host whose answers have another form is refused with a clear sentence, and nothing is kept`, async () => {
    const before = await connections();
    const odd: [unknown, unknown][] = [
      [account, account],
      [account, [null]],
      [account, ['acme']],
      [account, [{ name: 'acme', login: 'acme', full_path: 'acme', parent_id: null }]],
      [account, [{ id: 5, name: 7, login: 7, full_path: 7, parent_id: null }]],
      [account, 'all'],
      [{ ...account, id: undefined }, []],
      [{ ...account, login: 5, username: 5 }, []],
      [{ ...account, id: 0 }, []],
      [{ ...account, login: '', username: '' }, []],
      [{ ...account, login: 'a'.repeat(256), username: 'a'.repeat(256) }, []],
      [{ ...account, login: 'a\0b', username: 'a\0b' }, []],
      [[], []],
    ];
    for (const [user, organizations] of odd) {
      doubles[provider].fault = ({ path }) => {
        if (path.endsWith(lists[provider])) return { status: 200, json: organizations };
        return path.endsWith('/user') ? { status: 200, json: user } : undefined;
      };
      const answer = await app.operator('POST', connectionsPath, request(provider));
      const label = `${JSON.stringify([user, organizations]).slice(0, 300)}: ${answer.text}`;
      assert.deepEqual([answer.status, answer.json.error.code], [400, 'CONNECTION_REFUSED'], label);
      assert.doesNotMatch(answer.json.error.message, exceptionText, label);
      assert.ok(answer.json.error.message.includes(new URL(doubles[provider].url).host), label);
    }
    assert.equal(await connections(), before);
  });

  test(`${provider}: a host that repeats a page for ever is refused`, async () => {
    let pages = 0;
    const again = {
      link: `<${doubles[provider].url}/api/v3/user/orgs?page=2>; rel="next"`,
      'x-next-page': '2',
    };
    doubles[provider].fault = ({ path }) => {
      if (path.endsWith(lists[provider])) {
        pages += 1;
        const json = [{ id: 5, name: 'acme', login: 'acme', full_path: 'acme', parent_id: null }];
        // Bounded, so that the test ends even if the code under test never does.
        return pages > 50 ? { status: 500, json: {} } : { status: 200, headers: again, json };
      }
      return path.endsWith('/user') ? { status: 200, json: account } : undefined;
    };
    const answer = await app.operator('POST', connectionsPath, request(provider));
    assert.deepEqual([answer.status, answer.json.error.code], [400, 'CONNECTION_REFUSED'], answer.text);
    assert.match(answer.json.error.message, /keeps sending the same page/);
    doubles[provider].fault = () => undefined;
  });
}

test('a connection whose caller has gone is given up, and nothing is kept', async () => {
  const before = await connections();
  const port = await portOf(app);
  let pages = 0;
  let isEndless = true;
  gitea.fault = ({ path }) => {
    if (!path.endsWith('/user/orgs')) return undefined;
    pages += 1;
    return { status: 200, json: isEndless ? [{ id: pages, name: `org-${pages}` }] : [] };
  };
  const giveUp = new AbortController();
  const call = fetch(`http://127.0.0.1:${port}${connectionsPath}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(request('gitea')),
    signal: giveUp.signal,
  });
  await until(() => pages > 3);
  giveUp.abort();
  await assert.rejects(call);
  // No further request may arrive: a call that is not aborted would create the connection once the list ends.
  await untilSteady(() => pages);
  isEndless = false;
  await sleep(500);
  assert.equal(await connections(), before);
});

test('one odd member or repository does not stop the sync of the others', async () => {
  gitea.fault = () => undefined;
  const { id } = await connect(app, { ...request('gitea'), organizations: ['acme'] });
  await settled(app);
  const views = forge.acme.members;
  const members = [...views].map((one) => ({ id: one, login: gitea.state.userById(one).login }));
  const repository = { private: false, archived: false };
  gitea.fault = ({ path, query }) => {
    const json = path.endsWith('/acme/members')
      ? [...members, members[1], { id: 9001, login: 'new' }, { id: 9002, login: 'n\0l' }]
      : path.endsWith('/acme/repos')
        ? [
            { ...repository, id: 9101, name: 'n\0l', full_name: 'acme/n\0l' },
            { ...repository, id: 9102, name: 'half\ud800', full_name: 'acme/half\ud800' },
            { ...repository, id: 9103, name: 'fresh', full_name: 'acme/fresh' },
          ]
        : undefined;
    return json && { status: 200, json: query.get('page') === '1' ? json : [] };
  };
  app.now = new Date(app.now.getTime() + 1000);
  await app.operator('POST', `${connectionsPath}/${id}/sync`);
  await until(async () => (await show(app, id)).synced_at === app.now.toISOString());
  const named = async (table: string, column: string) =>
    (await sql`SELECT ${sql(column)} AS name FROM ${sql(table)} WHERE active`).map(({ name }) => name);
  assert.ok((await named('members', 'username')).includes('new'));
  assert.deepEqual(await named('repositories', 'name'), ['fresh']);
  assert.equal((await show(app, id)).status, 'ready');
  gitea.fault = () => undefined;
  assert.equal((await app.operator('DELETE', `${connectionsPath}/${id}`)).status, 204);
});

test('characters that cannot be stored are replaced in what people wrote, and the pull request is read', async () => {
  const { id } = await connect(app, { ...request('gitea'), organizations: ['acme'] });
  await settled(app);
  gitea.takeDeliveries();
  const odd = gitea.state.addUser('o\0d\ud800d');
  const pull = gitea.state.open(forge.app, odd);
  for (const delivery of gitea.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
  await settled(app);
  const { data } = (await app.operator('GET', `${connectionsPath}/${id}/deliveries`)).json;
  assert.deepEqual([data[0].status, data[0].error], ['done', null]);
  const [row] = await sql`SELECT url FROM pull_requests WHERE number = ${pull.number}`;
  assert.ok(row !== undefined);
  assert.equal((await app.operator('DELETE', `${connectionsPath}/${id}`)).status, 204);
});

test('answers of another form make a connection failing, in a clear sentence, until the host is right again', async () => {
  const { id } = await connect(app, { ...request('gitea'), organizations: ['acme'] });
  await settled(app);
  const failing = async () => {
    await until(async () => (await show(app, id)).status === 'failing');
    const { message } = (await show(app, id)).health.last_error;
    assert.doesNotMatch(message, exceptionText);
    return message;
  };
  gitea.fault = ({ path }) =>
    path.endsWith('/acme/members') ? { status: 200, json: [{ id: 7 }] } : undefined;
  await app.operator('POST', `${connectionsPath}/${id}/sync`);
  const host = new URL(gitea.url).host;
  assert.equal(await failing(), `acme: ${host} sent its members in an unexpected form`);
  gitea.fault = () => undefined;
  await app.operator('POST', `${connectionsPath}/${id}/sync`);
  await settled(app);
  assert.equal((await show(app, id)).status, 'ready');

  gitea.takeDeliveries();
  const pull = gitea.state.open(forge.app, forge.ada);
  gitea.fault = ({ path }) =>
    path.endsWith(`/pulls/${pull.number}`)
      ? {
          status: 200,
          json: { number: pull.number, html_url: 'https://x.test/1', state: 'open', title: 'x' },
        }
      : undefined;
  for (const delivery of gitea.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
  assert.equal(await failing(), `${host} sent a pull request in an unexpected form`);
  const { data } = (await app.operator('GET', `${connectionsPath}/${id}/deliveries`)).json;
  assert.equal(data[0].error, `${host} sent a pull request in an unexpected form`);
  gitea.fault = () => undefined;
  await settled(app);
  assert.equal((await show(app, id)).status, 'ready');
});
