import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { credential, fillWeek, makeDigestOrganizations, monday } from '../../../test/digest-organization.ts';
import { startTestApp } from '../../../test/harness.ts';
import { headerOf, startMailServer } from '../../../test/mail-server.ts';
import { storePulls } from '../../../test/open-pull-requests.ts';
import { startWebhookReceiver } from '../../../test/webhook-receiver.ts';
import { newUuid } from '../../lib/uuid.ts';

const mail = await startMailServer();
const chat = await startWebhookReceiver();
after(() => Promise.all([mail.close(), chat.close()]));
const server = await startTestApp({
  settings: {
    publicUrl: 'http://postil.one.test',
    mail: mail.settings,
    customerAddresses: { ranges: [['127.0.0.1', 32]], hosts: [] },
  },
});
const [one, two] = await makeDigestOrganizations(server);
await fillWeek(server, '6001');
server.now = monday;
const path = '/dashboard/v1/digests';
type Caller = typeof one.admin;
const call = (who: Caller, method: string, target: string, body?: object, { scope } = one) =>
  who.call(method, `${path}${target}${target.includes('?') ? '&' : '?'}${scope}`, { body });

beforeEach(async () => {
  await server.database.sql`DELETE FROM digests`;
  mail.mails.length = 0;
  chat.calls.length = 0;
});

async function create(body: object = {}, who = one) {
  const created = await call(who.admin, 'POST', '', body, who);
  assert.equal(created.status, 201, created.text);
  return created.json.digests.at(-1);
}

describe('what a digest says', () => {
  test('merged, found, fixed and stuck of seven days; of a team only what its people wrote', async () => {
    const { json } = await call(one.member, 'GET', '/content');
    assert.deepEqual(
      [json.organization, json.team, json.start_date, json.end_date],
      ['Org 6001', null, '2026-06-15', '2026-06-21'],
    );
    assert.deepEqual(json.merged.repositories, [{ name: 'api', pull_requests: 3 }]);
    assert.deepEqual([json.merged.pull_requests, json.merged.previous], [3, 0]);
    assert.deepEqual(json.findings, {
      posted: 3,
      accepted: 2,
      not_accepted: 1,
      by_severity: [
        { severity: 'critical', posted: 2, accepted: 2 },
        { severity: 'minor', posted: 1, accepted: 0 },
      ],
    });
    assert.deepEqual(
      json.stuck.pull_requests.map(({ number, days }: { number: number; days: number }) => [number, days]),
      [
        [71, 20],
        [72, 20],
      ],
    );
    const team = (await call(one.member, 'GET', `/content?team_id=${one.teamId}`)).json;
    assert.deepEqual(
      [team.team, team.merged.pull_requests, team.findings.posted, team.stuck.count],
      ['Team 6001', 2, 2, 1],
    );
    assert.deepEqual(
      [team.quiet_rules, team.spending.budget_usd_per_month],
      [null, null],
      'both are of the organization',
    );
    const before = (await call(one.member, 'GET', '/content?end_date=2026-06-14')).json;
    assert.deepEqual([before.start_date, before.merged.pull_requests], ['2026-06-08', 0]);
  });

  test('what no review has seen is stuck by what the host said: with its title and author, and not as a draft', async () => {
    const { sql } = server.database;
    const [place] = await sql<{ organizationId: string; repositoryId: string }[]>`
      SELECT organization_id AS "organizationId", id AS "repositoryId" FROM repositories
      WHERE organization_id = ${two.organizationId} AND name = 'api'`;
    await storePulls(sql, place!, [
      { number: 81, title: 'Known by the host alone', author: '9002' },
      { number: 82, isDraft: true, author: '9002' },
      { number: 83, author: '9003' },
    ]);
    await sql`UPDATE host_pull_requests SET host_updated_at = '2026-06-01' WHERE organization_id = ${two.organizationId}`;
    await sql`
      INSERT INTO pull_requests (organization_id, repository_id, number, url, state, event_time)
      SELECT organization_id, repository_id, number, url, 'open', now() FROM host_pull_requests
      WHERE organization_id = ${two.organizationId}`;
    const { json } = await call(two.member, 'GET', `/content?team_id=${two.teamId}`, undefined, two);
    assert.deepEqual(
      json.stuck.pull_requests.map(({ number, title }: { number: number; title: string }) => [number, title]),
      [[81, 'Known by the host alone']],
    );
    const all = (await call(two.member, 'GET', '/content', undefined, two)).json;
    assert.deepEqual([all.merged.pull_requests, all.findings.posted, all.stuck.count], [0, 0, 2]);
  });

  test('a team of 2,000 people with as many stuck pull requests has ten of them in its digest, and the number of all', async () => {
    const { sql } = server.database;
    const id = newUuid();
    await sql`
      INSERT INTO teams (organization_id, id, name, created_at, updated_at) VALUES (${two.organizationId}, ${id}, 'Everybody', now(), now())`;
    await sql`
      INSERT INTO team_members (organization_id, team_id, provider_user_id, username)
      SELECT ${two.organizationId}, ${id}, 'u' || n, 'u' || n FROM generate_series(1, 2000) n`;
    const [place] = await sql<{ id: string }[]>`
      SELECT id FROM repositories WHERE organization_id = ${two.organizationId} AND name = 'api'`;
    await sql`
      INSERT INTO pull_requests (organization_id, repository_id, number, url, state, event_time)
      SELECT ${two.organizationId}, ${place!.id}, 1000 + n, 'https://git.test/' || n, 'open', '2026-06-01' FROM generate_series(1, 2000) n`;
    await sql`
      INSERT INTO host_pull_requests (organization_id, repository_id, number, state, fingerprint, host_updated_at, read_at, opened_at, title, author_id)
      SELECT ${two.organizationId}, ${place!.id}, 1000 + n, 'open', '', '2026-06-01', now(), '2026-06-01', 'Change', 'u' || n
      FROM generate_series(1, 2000) n`;
    const { stuck } = (await call(two.member, 'GET', `/content?team_id=${id}`, undefined, two)).json;
    assert.deepEqual([stuck.count, stuck.pull_requests.length], [2000, 10]);
    const preview = await call(two.admin, 'GET', `/preview?team_id=${id}`, undefined, two);
    assert.match(preview.json.text, /and 1,990 more/);
  });

  test('rules that went quiet and what was spent', async () => {
    const { sql } = server.database;
    await sql`
      INSERT INTO review_rules (organization_id, rule, accepted, rejected, state, since)
      VALUES (${one.organizationId}, 'noisy/rule', 1, 19, 'quiet', '2026-06-16'), (${one.organizationId}, 'old/rule', 1, 19, 'quiet', '2026-05-16'),
        (${two.organizationId}, 'foreign/rule', 1, 19, 'quiet', '2026-06-16')`;
    await sql`
      INSERT INTO review_runs (organization_id, id, repository_id, pull_request, trigger, mode, status, created_at, finished_at, actor_name, cost_usd)
      SELECT r.organization_id, gen_random_uuid(), r.id, n, 'push', 'full', 'succeeded', '2026-06-17', '2026-06-17', 'x', 0.5
      FROM repositories r, unnest(ARRAY[71, 72]) AS n
      WHERE r.organization_id = ANY(${[one.organizationId, two.organizationId]}::uuid[]) AND r.name = 'api'`;
    const { json } = await call(one.member, 'GET', '/content');
    assert.deepEqual(json.quiet_rules, [{ rule: 'noisy/rule', accepted: 1, rejected: 19 }]);
    assert.deepEqual(json.spending, { reviews: 2, usd: 1, budget_usd_per_month: null });
    const team = (await call(one.member, 'GET', `/content?team_id=${one.teamId}`)).json;
    assert.deepEqual(team.spending, { reviews: 1, usd: 0.5, budget_usd_per_month: null });
  });

  test('no format lets what people wrote become markup, a mention or a link, and credentials are in none', async () => {
    const { status, json, text } = await call(one.admin, 'GET', '/preview');
    assert.equal(status, 200, text);
    assert.ok(!text.includes(credential));
    assert.ok(json.html.includes('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp;'));
    assert.ok(!json.html.includes('<img'));
    assert.ok(json.text.includes('<img src=x onerror="alert(1)">'), 'plain text is plain');
    const slack = JSON.stringify(json.slack);
    assert.ok(slack.includes('&lt;!channel&gt;') && !slack.includes('<!channel>'));
    const teams = JSON.stringify(json.teams);
    assert.ok(!teams.includes('[a](https://evil.test)'));
    assert.equal(json.subject, 'The week of Org 6001');
  });
});

describe('who may', () => {
  test('members read the week and change nothing; the other organization sees nothing of it', async () => {
    const { id } = await create({ recipients: ['a@one.test'] });
    for (const [method, target, body] of [
      ['GET', '', undefined],
      ['GET', '/preview', undefined],
      ['POST', '', {}],
      ['PATCH', `/${id}`, { hour: 3 }],
      ['DELETE', `/${id}`, undefined],
      ['POST', `/${id}/test`, { channel: 'mail' }],
    ] as const) {
      assert.equal((await call(one.member, method, target, body)).status, 403, `${method} ${target}`);
      if (target.startsWith(`/${id}`))
        assert.equal((await call(two.admin, method, target, body, two)).status, 404, `${method} ${target}`);
    }
    assert.deepEqual((await call(two.admin, 'GET', '', undefined, two)).json.digests, []);
    assert.equal(
      (await call(two.admin, 'GET', `/content?team_id=${one.teamId}`, undefined, two)).status,
      404,
    );
    assert.equal((await call(two.admin, 'POST', '', { team_id: one.teamId }, two)).status, 404);
    assert.equal((await call(two.admin, 'GET', '/content', undefined, two)).json.merged.pull_requests, 0);
    assert.equal((await call(one.admin, 'GET', '')).json.digests.length, 1, 'nothing has changed');
  });
});

describe('settings', () => {
  test('there is one digest for the organization and one for a team; what is wrong changes nothing', async () => {
    const digest = await create({ recipients: ['B@one.test', 'b@one.test'] });
    assert.deepEqual(
      [digest.weekday, digest.hour, digest.recipients, digest.next_due_at, digest.team, digest.last],
      [1, 7, ['b@one.test'], '2026-06-29T07:00:00.000Z', null, null],
    );
    assert.equal((await call(one.admin, 'POST', '', {})).status, 409);
    const ofTeam = await create({ team_id: one.teamId, weekday: 5, hour: 16 });
    assert.deepEqual(
      [ofTeam.team, ofTeam.next_due_at],
      [{ id: one.teamId, name: 'Team 6001' }, '2026-06-26T16:00:00.000Z'],
    );
    for (const body of [
      { hour: 24 },
      { weekday: 0 },
      { recipients: ['nobody'] },
      { recipients: ['a@one.test\r\nBcc: b@two.test'] },
      { recipients: Array.from({ length: 51 }, (_, index) => `p${index}@one.test`) },
      { chat: { kind: 'irc', url: 'https://chat.test' } },
      { chat: { kind: 'slack' } },
      { chat: { kind: 'slack', url: 'file:///etc/passwd' } },
      { chat: { kind: 'slack', url: 'http://10.0.0.1/hook' } },
      {},
    ])
      assert.equal((await call(one.admin, 'PATCH', `/${digest.id}`, body)).status, 400, JSON.stringify(body));
    assert.deepEqual((await call(one.admin, 'GET', '')).json.digests[0], digest);
  });

  test('the URL of a chat is sealed, never shown or logged, and forgotten with the digest', async () => {
    const secret = 'T0/B0/very-secret-path';
    const { id } = await create({ chat: { kind: 'slack', url: `${chat.url}/${secret}` } });
    const listed = await call(one.admin, 'GET', '');
    assert.deepEqual(listed.json.digests[0].chat, { kind: 'slack', host: new URL(chat.url).host });
    await call(one.admin, 'PATCH', `/${id}`, { chat: { kind: 'teams' } });
    await call(one.admin, 'POST', `/${id}/test`, { channel: 'chat' });
    assert.equal(chat.calls.at(-1)!.path, `/${secret}`, 'the URL stayed');
    assert.equal(chat.calls.at(-1)!.event.attachments[0].content.type, 'AdaptiveCard');
    const { sql } = server.database;
    const audited = await sql`SELECT metadata::text FROM audit_entries WHERE resource_id = ${id}`;
    assert.equal(audited.length, 2);
    assert.ok(!JSON.stringify([audited, server.logLines, listed.text]).includes('very-secret'));
    assert.equal((await call(one.admin, 'DELETE', `/${id}`)).status, 204);
    assert.equal((await sql`SELECT 1 FROM sealed_secrets WHERE purpose = 'digest chat webhook'`).length, 0);
    const actions = await sql`SELECT action FROM audit_entries WHERE resource_id = ${id} ORDER BY position`;
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['digest.created', 'digest.updated', 'digest.deleted'],
    );
  });

  test('a test goes to whoever asks, and says what the mail server or the chat refuses', async () => {
    const { id } = await create({
      recipients: ['a@one.test'],
      chat: { kind: 'slack', url: `${chat.url}/x` },
    });
    const { json } = await call(one.admin, 'POST', `/${id}/test`, { channel: 'mail' });
    assert.deepEqual(json, { ok: true, message: 'Sent to admin@one.test' });
    assert.deepEqual(
      mail.mails.map(({ to }) => to),
      ['admin@one.test'],
    );
    mail.answerRecipient = () => '550 no such user';
    const refused = await call(one.admin, 'POST', `/${id}/test`, { channel: 'mail' });
    mail.answerRecipient = () => '250 fine';
    assert.equal(refused.json.ok, false);
    assert.match(refused.json.message, /550 no such user/);
    chat.react = () => 404;
    const gone = await call(one.admin, 'POST', `/${id}/test`, { channel: 'chat' });
    chat.react = () => 204;
    assert.deepEqual(gone.json, { ok: false, message: 'the chat answered 404' });
    await server.database
      .sql`UPDATE sealed_secrets SET key_id = 'gone' WHERE purpose = 'digest chat webhook'`;
    const unreadable = await call(one.admin, 'POST', `/${id}/test`, { channel: 'chat' });
    assert.deepEqual([unreadable.status, unreadable.json.ok], [200, false], unreadable.text);
    assert.match(unreadable.json.message, /needs the key gone/);
  });
});

describe('unsubscribing', () => {
  async function receive() {
    const { id } = await create({ recipients: ['admin@one.test', 'b@one.test'] });
    await call(one.admin, 'POST', `/${id}/test`, { channel: 'mail' });
    const received = mail.mails.at(-1)!;
    const url = new URL(/<(.*)>/.exec(headerOf(received, 'List-Unsubscribe')!)![1]!);
    return { id, received, url };
  }

  test('one click without signing in takes the address out, again and again, and is audited', async () => {
    const { id, received, url } = await receive();
    assert.equal(headerOf(received, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click');
    assert.equal(url.origin, 'http://postil.one.test');
    const click = () =>
      server.call('POST', `${url.pathname}${url.search}`, {
        body: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    for (let times = 0; times < 2; times += 1) {
      const answer = await click();
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.json, { email: 'admin@one.test' });
    }
    assert.deepEqual((await call(one.admin, 'GET', '')).json.digests[0].recipients, ['b@one.test']);
    const audited = await server.database.sql`
      SELECT actor_type, metadata FROM audit_entries WHERE resource_id = ${id} AND action = 'digest.unsubscribed'`;
    assert.deepEqual([...audited], [{ actor_type: 'system', metadata: { email: 'admin@one.test' } }]);
    await server.database.sql`DELETE FROM digests`;
    assert.equal((await click()).status, 200, 'also once the digest is gone');
  });

  test('opening the link changes nothing: it leads to a page that asks', async () => {
    const { url } = await receive();
    const opened = await server.call('GET', `${url.pathname}${url.search}`);
    assert.equal(opened.status, 302);
    assert.equal(opened.headers.location, `/unsubscribe${url.search}`);
    assert.equal((await call(one.admin, 'GET', '')).json.digests[0].recipients.length, 2);
  });

  test('a token that was made up, changed or made for something else is refused', async () => {
    const { url } = await receive();
    const token = url.searchParams.get('token')!;
    const cursor = (await one.admin.call('GET', `/dashboard/v1/teams?limit=1&${one.scope}`)).json.next_cursor;
    for (const bad of [
      'x',
      `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`,
      token.toUpperCase(),
      cursor ?? 'y',
    ]) {
      const answer = await server.call('POST', `${url.pathname}?token=${encodeURIComponent(bad)}`, {
        body: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      assert.equal(answer.status, 401, answer.text);
    }
    assert.equal((await call(one.admin, 'GET', '')).json.digests[0].recipients.length, 2);
  });
});
