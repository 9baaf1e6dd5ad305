import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorToken, startTestApp } from '../../../../test/harness.ts';
import {
  connect,
  connectionsPath,
  runSchedule,
  settled,
  show,
  startDouble,
  until,
} from '../../../../test/hosts/connected-host.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';

const app = await startTestApp();
const gitea = await startDouble(new GiteaDouble());
const forge = fillForge(gitea);
await app.queue.startWorkers();

const request = (more: Record<string, unknown> = {}) => ({
  provider: 'gitea',
  url: gitea.url,
  credentials: { token: hostToken },
  ...more,
});
const slug = `127-0-0-1-${new URL(gitea.url).port}`;
const countOf = async (table: string) =>
  (await app.database.sql`SELECT count(*)::int AS n FROM ${app.database.sql(table)}`)[0]!.n;

test('a new connection is returned with exactly the specified fields, its webhook secret once and its credentials never', async () => {
  const answer = await app.operator('POST', connectionsPath, request({ organizations: ['acme'] }));
  assert.equal(answer.status, 201, answer.text);
  const { id, created_at, webhook, ...rest } = answer.json;
  assert.deepEqual(Object.keys(answer.json).sort(), [
    ...['account', 'created_at', 'id', 'instance', 'organizations', 'provider', 'review', 'status', 'url'],
    'webhook',
  ]);
  assert.deepEqual(rest, {
    provider: 'gitea',
    url: gitea.url,
    instance: slug,
    status: 'ready',
    account: { id: String(forge.account.id), username: 'postil-bot' },
    organizations: ['acme'],
    review: 'on',
  });
  assert.equal(created_at, app.now.toISOString());
  assert.deepEqual(Object.keys(webhook).sort(), ['secret', 'url']);
  assert.equal(webhook.url, `http://postil.test/hooks/${id}`);
  assert.ok(webhook.secret.length >= 32);
  await settled(app);
  const shown = await show(app, id);
  assert.deepEqual(shown.organizations, ['acme']);
  assert.deepEqual(shown.health, {
    last_delivery_at: null,
    last_read_at: app.now.toISOString(),
    last_error: null,
    waiting: 0,
    oldest_waiting_at: null,
  });
  assert.deepEqual(shown.backfill, { state: 'none', since: null, done: 0, total: 0 });
  for (const text of [
    answer.text,
    JSON.stringify(shown),
    (await app.operator('GET', connectionsPath)).text,
  ]) {
    assert.ok(!text.includes(hostToken));
    if (text !== answer.text) assert.ok(!text.includes(webhook.secret));
  }
  const [hook] = forge.acme.hooks;
  assert.deepEqual([hook!.url, hook!.secret, hook!.active], [webhook.url, webhook.secret, true]);
  assert.equal(forge.other.hooks.length, 0);
  assert.equal((await app.operator('DELETE', `${connectionsPath}/${id}`)).status, 204);
});

test('a refusal by the host is reported in its words and with its name, and nothing is stored', async () => {
  const before = [await countOf('connections'), await countOf('sealed_secrets'), await countOf('instances')];
  const cases: [Record<string, unknown>, RegExp][] = [
    [request({ credentials: { token: 'wrong' }, instance: 'fresh' }), /user does not exist/],
    [request({ organizations: ['acme', 'nobody'], instance: 'fresh' }), /nobody/],
    [request({ url: 'http://127.0.0.1:1', instance: 'fresh' }), /cannot be reached/],
    [request({ url: `${gitea.url}/elsewhere`, instance: 'fresh' }), /not a Gitea/],
  ];
  for (const [body, reason] of cases) {
    const answer = await app.operator('POST', connectionsPath, body);
    assert.deepEqual([answer.status, answer.json.error.code], [400, 'CONNECTION_REFUSED'], answer.text);
    assert.match(answer.json.error.message, reason);
    if (!('organizations' in body))
      assert.ok(answer.json.error.message.startsWith(new URL(body.url as string).host), answer.text);
  }
  assert.deepEqual(
    [await countOf('connections'), await countOf('sealed_secrets'), await countOf('instances')],
    before,
  );
});

test('a refusal that repeats the token does not reveal it', async () => {
  gitea.fault = ({ path }) =>
    path === '/api/v1/user'
      ? { status: 401, json: { message: `token ${hostToken} is not known here` } }
      : undefined;
  const answer = await app.operator('POST', connectionsPath, request());
  gitea.fault = () => undefined;
  assert.equal(answer.json.error.code, 'CONNECTION_REFUSED');
  assert.match(answer.json.error.message, /is not known here/);
  assert.ok(!answer.text.includes(hostToken));
});

test('invalid requests are rejected before the host is called, and store nothing', async () => {
  const before = gitea.requests.length;
  const bodies = [
    { ...request(), colour: 'blue' },
    { ...request(), credentials: { token: hostToken, user: 'x' } },
    { ...request(), credentials: { token: '' } },
    { ...request(), credentials: {} },
    { ...request(), credentials: { app_id: '1', private_key: 'x' } },
    { ...request(), credentials: undefined },
    { ...request(), provider: 'bitbucket' },
    { ...request(), provider: 'azure_devops' },
    { ...request(), provider: undefined },
    { ...request(), url: undefined },
    { ...request(), url: 'ftp://git.acme.test' },
    { ...request(), url: 'not an address' },
    { ...request(), url: `http://user:secret@127.0.0.1` },
    { ...request(), url: `${gitea.url}?a=b` },
    { ...request(), instance: 'Not A Slug' },
    { ...request(), organizations: [] },
    { ...request(), organizations: 'acme' },
    { ...request(), webhook_secret: 'short' },
    { ...request(), review: 'maybe' },
    { ...request(), defaults: { plan: 'gold' } },
    { ...request(), defaults: { seats_purchased: -1 } },
    { ...request(), defaults: { color: 'blue' } },
  ];
  for (const body of bodies) {
    const answer = await app.operator('POST', connectionsPath, body);
    assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_REQUEST'], JSON.stringify(body));
  }
  assert.equal(gitea.requests.length, before);
  assert.equal(await countOf('connections'), 0);
});

test('a token that cannot be sent is refused by its name, and never shown', async () => {
  const before = gitea.requests.length;
  for (const [token, reason] of [
    [`${hostToken}\n`, 'must not end with a line break'],
    [`${hostToken}\r\n`, 'must not end with a line break'],
    [`${hostToken.slice(0, 2)}\n${hostToken}`, 'must consist of visible ASCII characters'],
    [' ', 'must consist of visible ASCII characters'],
    [`${hostToken}é`, 'must consist of visible ASCII characters'],
    ['токен', 'must consist of visible ASCII characters'],
  ] as const) {
    const answer = await app.operator('POST', connectionsPath, request({ credentials: { token } }));
    assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_REQUEST'], answer.text);
    assert.ok(answer.json.error.message.startsWith(`credentials.token: ${reason}`), answer.text);
    assert.ok(!answer.text.includes(hostToken));
  }
  assert.equal(gitea.requests.length, before);
});

test('only the operator may use connections', async () => {
  for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
    const answer = await app.call('GET', connectionsPath, { headers });
    assert.equal(answer.status, 401);
  }
  const answer = await app.call('GET', connectionsPath, {
    headers: { authorization: `Bearer ${operatorToken}` },
  });
  assert.equal(answer.status, 200);
});

test('new organizations get the defaults, and known ones keep their settings', async () => {
  await app.platform({
    instances: [{ slug, provider: 'gitea', url: gitea.url }],
    organizations: [
      {
        provider: 'gitea',
        provider_organization_id: String(forge.other.id),
        instance: slug,
        name: 'other',
        plan: 'pro',
        seats_purchased: 3,
      },
    ],
  });
  const defaults = { plan: 'free', subscription: 'none', seats_purchased: 7, seat_assignment_mode: 'manual' };
  const { id } = await connect(
    app,
    request({
      defaults: { seats_purchased: 7, plan: 'free', subscription: 'none', seat_assignment_mode: 'manual' },
    }),
  );
  await settled(app);
  const rows = await app.database.sql`
    SELECT o.name, o.plan, o.subscription, o.seats_purchased, o.seat_assignment_mode
    FROM organizations o JOIN instances i ON i.id = o.instance_id
    WHERE i.slug = ${slug} AND o.name = 'other'`;
  assert.equal(rows.length, 1);
  assert.equal(rows[0]!.plan, 'pro');
  assert.equal(rows[0]!.seats_purchased, 3);
  await app.operator('DELETE', `${connectionsPath}/${id}`);
  const created = await connect(app, request({ instance: 'second-name', defaults }));
  await settled(app);
  const [acme] = await app.database.sql`
    SELECT o.plan, o.subscription, o.seats_purchased, o.seat_assignment_mode
    FROM organizations o JOIN instances i ON i.id = o.instance_id
    WHERE i.slug = 'second-name' AND o.name = 'acme'`;
  assert.deepEqual({ ...acme }, defaults);
  await app.operator('DELETE', `${connectionsPath}/${created.id}`);
});

test('an instance is derived from the URL, including port and path, and shared by connections to the same host', async () => {
  const one = await connect(app, request({ organizations: ['acme'] }));
  const two = await connect(app, request({ url: `${gitea.url}/`, organizations: ['other'] }));
  assert.deepEqual([one.instance, two.instance], [slug, slug]);
  assert.equal(two.url, gitea.url);
  await app.platform({
    instances: [{ slug: 'of-github', provider: 'github', url: 'https://ghe.acme.test' }],
  });
  const foreign = await app.operator('POST', connectionsPath, request({ instance: 'of-github' }));
  assert.deepEqual([foreign.status, foreign.json.error.code], [400, 'INVALID_REQUEST']);
  await settled(app);
  for (const { id } of [one, two]) await app.operator('DELETE', `${connectionsPath}/${id}`);
});

test('connections are listed newest first, page by page', async () => {
  const ids: string[] = [];
  for (const username of ['first', 'second', 'third']) {
    app.now = new Date(app.now.getTime() + 1000);
    const token = `token-of-${username}`;
    gitea.tokens.set(token, gitea.state.addUser(username));
    ids.unshift((await connect(app, request({ credentials: { token } }))).id);
  }
  const first = await app.operator('GET', `${connectionsPath}?limit=2`);
  const second = await app.operator(
    'GET',
    `${connectionsPath}?limit=2&cursor=${encodeURIComponent(first.json.next_cursor)}`,
  );
  assert.deepEqual(
    [...first.json.data, ...second.json.data].map(({ id }: { id: string }) => id),
    ids,
  );
  assert.equal(second.json.next_cursor, null);
  for (const query of ['limit=0', 'limit=101', 'cursor=nonsense', 'colour=blue'])
    assert.equal((await app.operator('GET', `${connectionsPath}?${query}`)).status, 400, query);
  await settled(app);
  for (const id of ids) await app.operator('DELETE', `${connectionsPath}/${id}`);
});

test('unknown connections are not found, and invalid ids are rejected', async () => {
  const unknown = '00000000-0000-7000-8000-000000000000';
  const calls: [string, string, unknown?][] = [
    ['GET', ''],
    ['PATCH', '', { review: 'off' }],
    ['DELETE', ''],
    ['POST', '/check'],
    ['POST', '/sync'],
    ['POST', '/backfill', { since: '2026-01-01' }],
    ['GET', '/deliveries'],
    ['POST', `/deliveries/${unknown}/replay`],
  ];
  for (const [method, suffix, body] of calls) {
    const answer = await app.operator(method, `${connectionsPath}/${unknown}${suffix}`, body);
    assert.deepEqual([answer.status, answer.json.error.code], [404, 'NOT_FOUND'], suffix);
    const malformed = await app.operator(method, `${connectionsPath}/nonsense${suffix}`, body);
    assert.equal(malformed.status, 400, suffix);
  }
});

test('actions take no fields, and need no body', async () => {
  const { id } = await connect(app, request({ organizations: ['acme'] }));
  await settled(app);
  const one = `${connectionsPath}/${id}`;
  const [delivery] = await app.database.sql`
    INSERT INTO hook_deliveries (connection_id, id, delivery_id, event, received_at, status, attempts)
    VALUES (${id}, gen_random_uuid(), 'one', 'push', ${app.now}, 'ignored', 0) RETURNING id`;
  const actions = [
    [`${one}/check`, 200],
    [`${one}/sync`, 202],
    [`${one}/deliveries/${delivery!.id}/replay`, 202],
  ] as const;
  for (const [path, status] of actions) {
    for (const body of ['{"x":1}', '{', '[]', 'null']) {
      const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' };
      const refused = await app.call('POST', path, { body, headers });
      assert.deepEqual(
        [refused.status, refused.json.error.code],
        [400, 'INVALID_REQUEST'],
        `${path} ${body}`,
      );
    }
    for (const body of [undefined, {}])
      assert.equal((await app.operator('POST', path, body)).status, status, path);
  }
  await settled(app);
  await app.operator('DELETE', one);
});

test('while a connection is paused, changes do not call the host; they are tried when it is resumed', async () => {
  const { id } = await connect(app, request({ organizations: ['acme'] }));
  await settled(app);
  const one = `${connectionsPath}/${id}`;
  assert.equal((await app.operator('PATCH', one, { status: 'paused' })).status, 200);
  await settled(app);
  const calls = gitea.requests.length;
  const change = async (body: object) => (await app.operator('PATCH', one, body)).status;
  assert.equal(await change({ credentials: { token: 'wrong' } }), 200);
  assert.equal(await change({ organizations: ['nobody'], review: 'off' }), 200);
  assert.equal(gitea.requests.length, calls);
  const resume = async (more: object = {}) => {
    const answer = await app.operator('PATCH', one, { status: 'ready', ...more });
    return answer.status === 200 ? 200 : answer.json.error.code;
  };
  assert.equal(await resume(), 'CONNECTION_REFUSED');
  assert.equal((await show(app, id)).status, 'paused');
  assert.equal(
    await resume({ credentials: { token: hostToken } }),
    'CONNECTION_REFUSED',
    'nobody is not there',
  );
  assert.equal(await change({ credentials: { token: hostToken } }), 200);
  assert.equal(await change({ organizations: ['acme', 'other'] }), 200);
  assert.equal(await resume({ organizations: ['acme'] }), 200);
  const shown = await show(app, id);
  assert.deepEqual([shown.status, shown.account.username], ['ready', 'postil-bot']);
  await settled(app);
  const before = gitea.requests.filter(({ path }) => path.endsWith('/user')).length;
  assert.equal(await change({ status: 'paused' }), 200);
  assert.equal(await resume(), 200);
  await settled(app);
  assert.equal(
    gitea.requests.filter(({ path }) => path.endsWith('/user')).length,
    before,
    'what was tried once is not tried again',
  );
  await app.operator('DELETE', `${connectionsPath}/${id}`);
});

test('a change is tried at the host first, and one that the host refuses changes nothing', async () => {
  const { id } = await connect(app, request({ organizations: ['acme'] }));
  await settled(app);
  const before = await show(app, id);
  for (const change of [
    { credentials: { token: 'wrong' }, review: 'off' },
    { organizations: ['nobody'], review: 'off' },
  ]) {
    const refused = await app.operator('PATCH', `${connectionsPath}/${id}`, change);
    assert.deepEqual([refused.status, refused.json.error.code], [400, 'CONNECTION_REFUSED']);
  }
  assert.deepEqual(await show(app, id), before);
  for (const change of [{ provider: 'github' }, { status: 'failing' }, { review: null }, { url: 'http://x' }])
    assert.equal((await app.operator('PATCH', `${connectionsPath}/${id}`, change)).status, 400);
  gitea.tokens.set('second-token', forge.ada);
  const changed = await app.operator('PATCH', `${connectionsPath}/${id}`, {
    credentials: { token: 'second-token' },
    review: 'off',
  });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual([changed.json.account.username, changed.json.review], ['ada', 'off']);
  assert.ok(!changed.text.includes('second-token'));
  await settled(app);
  assert.equal(
    (await app.operator('PATCH', `${connectionsPath}/${id}`, { credentials: { token: hostToken } })).status,
    200,
  );
  const widened = await app.operator('PATCH', `${connectionsPath}/${id}`, {
    organizations: ['acme', String(forge.other.id)],
  });
  assert.equal(widened.status, 200);
  await settled(app);
  assert.deepEqual((await show(app, id)).organizations, ['acme', 'other']);
  assert.equal(forge.other.hooks.length, 1);
  await app.operator('PATCH', `${connectionsPath}/${id}`, { organizations: ['acme'] });
  await settled(app);
  assert.deepEqual((await show(app, id)).organizations, ['acme']);
  assert.equal(forge.other.hooks.length, 0, 'the webhook goes with the organization');
  await app.operator('DELETE', `${connectionsPath}/${id}`);
});

test('an organization that was named and can no longer be seen is reported, and stays served', async () => {
  const { id } = await connect(app, request({ organizations: ['acme'] }));
  await settled(app);
  gitea.fault = ({ path }) => (path.endsWith('/user/orgs') ? { status: 200, json: [] } : undefined);
  await app.operator('POST', `${connectionsPath}/${id}/sync`);
  await until(async () => (await show(app, id)).status === 'failing');
  const { health, organizations } = await show(app, id);
  assert.equal(health.last_error.message, 'acme: the account cannot see it');
  assert.deepEqual(organizations, ['acme']);
  assert.equal(forge.acme.hooks.length, 1, 'it may come back');
  const { checks } = (await app.operator('POST', `${connectionsPath}/${id}/check`)).json;
  assert.deepEqual(
    checks.filter(({ name }: { name: string }) => name === 'read acme'),
    [{ name: 'read acme', ok: false, message: 'the account cannot see it' }],
  );
  gitea.fault = () => undefined;
  await app.operator('POST', `${connectionsPath}/${id}/sync`);
  await until(async () => (await show(app, id)).status === 'ready');
  await app.operator('DELETE', `${connectionsPath}/${id}`);
});

test('a host that the operator has named gets no second instance, however its URL is spelled', async () => {
  const host = await startDouble(new GiteaDouble());
  fillForge(host);
  const { url } = host;
  const first = await connect(app, request({ url, instance: 'a-name-of-its-own', organizations: ['acme'] }));
  const spelled = url.replace('http:', 'HTTP:');
  const second = await connect(app, request({ url: spelled, organizations: ['other'] }));
  assert.deepEqual([second.instance, second.url], [first.instance, url]);
  for (const { id } of [first, second]) await app.operator('DELETE', `${connectionsPath}/${id}`);
});

test('removing a connection removes its webhook and secrets; data that came through it stays', async () => {
  const { id } = await connect(app, request({ organizations: ['acme'] }));
  await settled(app);
  assert.equal(forge.acme.hooks.length, 1);
  const organizations = await countOf('organizations');
  assert.equal((await app.operator('DELETE', `${connectionsPath}/${id}`)).status, 204);
  assert.equal((await app.operator('GET', `${connectionsPath}/${id}`)).status, 404);
  assert.equal(forge.acme.hooks.length, 0);
  assert.equal(await countOf('sealed_secrets'), 0);
  assert.equal(await countOf('organizations'), organizations);
});

test('a connection that is removed while a sync is under way leaves no webhook behind', async () => {
  const { id } = await connect(app, request({ organizations: ['acme'] }));
  await settled(app);
  const asked = Promise.withResolvers<void>();
  const removed = Promise.withResolvers<void>();
  gitea.holds = ({ path }) => {
    if (!path.endsWith('/acme/hooks')) return undefined;
    gitea.holds = () => undefined;
    asked.resolve();
    return removed.promise;
  };
  await app.operator('POST', `${connectionsPath}/${id}/sync`);
  await asked.promise;
  assert.equal((await app.operator('DELETE', `${connectionsPath}/${id}`)).status, 204);
  removed.resolve();
  await settled(app);
  assert.equal(forge.acme.hooks.length, 0);
});

test('a connection to an unavailable host can be removed', async () => {
  const { id } = await connect(app, request());
  await settled(app);
  gitea.goAway();
  assert.equal((await app.operator('DELETE', `${connectionsPath}/${id}`)).status, 204);
  gitea.comeBack();
  assert.equal((await app.operator('GET', `${connectionsPath}/${id}`)).status, 404);
});

test('a check reports what was tried at the host, and what is missing', async () => {
  const { id } = await connect(app, request({ organizations: ['acme'] }));
  await settled(app);
  const check = async () => (await app.operator('POST', `${connectionsPath}/${id}/check`)).json.checks;
  gitea.fault = () => undefined;
  app.now = new Date();
  const good = await check();
  assert.deepEqual(
    good.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok]),
    [
      ['credentials', true],
      ['read acme', true],
      ['comment in acme', true],
      ['webhook of acme', true],
      ['clock', true],
    ],
  );
  app.now = new Date(Date.now() + 3_600_000);
  forge.acme.hooks.length = 0;
  const worse = await check();
  const failed = worse.filter(({ ok }: { ok: boolean }) => !ok).map(({ name }: { name: string }) => name);
  assert.deepEqual(failed, ['webhook of acme', 'clock']);
  gitea.tokens.delete(hostToken);
  const refused = await check();
  assert.deepEqual(
    refused.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok]),
    [['credentials', false]],
  );
  assert.equal((await show(app, id)).status, 'failing');
  gitea.tokens.set(hostToken, forge.account);
  await check();
  assert.equal((await show(app, id)).status, 'ready');
  await app.operator('DELETE', `${connectionsPath}/${id}`);
});

test('if the account is not allowed to register the webhook, the connection says exactly what an owner has to do', async () => {
  gitea.tokens.set('of-ben', forge.ben);
  const { id, webhook } = await connect(
    app,
    request({ credentials: { token: 'of-ben' }, organizations: ['acme'] }),
  );
  await settled(app);
  const shown = await show(app, id);
  assert.equal(shown.status, 'ready');
  assert.equal(shown.webhook.instructions.length, 1);
  assert.equal(shown.webhook.instructions[0].organization, 'acme');
  assert.ok(shown.webhook.instructions[0].text.includes(webhook.url));
  assert.ok(!JSON.stringify(shown).includes(webhook.secret));
  await app.operator('DELETE', `${connectionsPath}/${id}`);
});

test('no credential or secret is in the log or the audit log, nor in the database in plain text', async () => {
  const secret = 'a-webhook-secret-of-the-test';
  const { id } = await connect(app, request({ webhook_secret: secret }));
  await settled(app);
  gitea.tokens.delete(hostToken);
  await app.operator('POST', `${connectionsPath}/${id}/sync`);
  await runSchedule(app, 'probe-failing-connections');
  gitea.tokens.set(hostToken, forge.account);
  await app.operator('PATCH', `${connectionsPath}/${id}`, {
    webhook_secret: `${secret}-2`,
    credentials: { token: hostToken },
  });
  await settled(app);
  const dump: string[] = [...app.logLines];
  for (const { table } of await app.database.sql`
    SELECT format('%I.%I', schemaname, tablename) AS table FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`)
    for (const row of await app.database.sql.unsafe(`SELECT to_jsonb(t)::text AS text FROM ${table} t`))
      dump.push(row.text);
  const text = dump.join('\n');
  assert.ok(text.includes('connection.created'));
  for (const word of [hostToken, secret]) assert.ok(!text.includes(word));
  await app.operator('DELETE', `${connectionsPath}/${id}`);
});

test('the health of each connection is exported to Prometheus, by its id', async () => {
  const { id } = await connect(app, request({ organizations: ['acme'] }));
  await settled(app);
  const measured = async () => {
    const { text } = await app.operator('GET', '/metrics');
    const lines = text.split('\n').filter((line) => line.includes(`{connection="${id}"}`));
    return Object.fromEntries(lines.map((line) => [line.split('{')[0], Number(line.split(' ')[1])]));
  };
  assert.deepEqual(await measured(), {
    postil_connection_failing: 0,
    postil_connection_paused: 0,
    postil_connection_deliveries_waiting: 0,
    postil_connection_last_read_timestamp_seconds: app.now.getTime() / 1000,
  });
  const { sql } = app.database;
  await sql`UPDATE connections SET failing_since = now() WHERE id = ${id}`;
  await sql`
    INSERT INTO hook_deliveries (connection_id, id, delivery_id, event, received_at, status, subject, attempts)
    VALUES (${id}, gen_random_uuid(), 'one', 'push', ${app.now}, 'waiting', 'nothing', 0)`;
  const failing = await measured();
  assert.equal(failing.postil_connection_failing, 1);
  assert.equal(failing.postil_connection_deliveries_waiting, 1);
  assert.equal(failing.postil_connection_oldest_waiting_timestamp_seconds, app.now.getTime() / 1000);
  assert.equal((await app.operator('PATCH', `${connectionsPath}/${id}`, { status: 'paused' })).status, 200);
  const paused = await measured();
  assert.deepEqual([paused.postil_connection_failing, paused.postil_connection_paused], [0, 1]);
  assert.equal((await app.operator('DELETE', `${connectionsPath}/${id}`)).status, 204);
  assert.deepEqual(await measured(), {});
});
