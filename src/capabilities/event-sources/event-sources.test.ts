import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp } from '../../../test/harness.ts';
import { callLate } from '../../../test/late-caller.ts';
import { samplePlatform } from '../../../test/sample-platform.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const { sql } = server.database;

const acme = { provider: 'github', org_id: '1001' };
const ghe = { provider: 'github', org_id: '2001', instance: 'ghe' };
const batchType = 'application/cloudevents-batch+json';

async function addSource(fields: Record<string, unknown> = {}) {
  const answer = await server.operator('POST', '/operator/v1/sources', {
    name: 'ci-acme',
    organizations: [acme],
    types: ['postil.pull_request'],
    ...fields,
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

let serial = 0;
function event(data: Record<string, unknown> = {}, type = 'postil.pull_request') {
  serial += 1;
  return {
    specversion: '1.0',
    id: `source-${serial}`,
    source: '/ci',
    type,
    time: '2026-06-01T10:00:00Z',
    data: {
      provider: 'github',
      org_id: '1001',
      repository_id: '501',
      number: serial,
      url: `https://github.test/acme/api/pull/${serial}`,
      state: 'open',
      created_at: '2026-06-01T09:00:00Z',
      ...data,
    },
  };
}

const send = (value: string, body: unknown, type = 'application/json') =>
  server.call('POST', '/v1/events', { key: value, body, headers: { 'content-type': type } });

const isStored = async (number: number) =>
  (await sql`SELECT 1 FROM pull_requests WHERE number = ${number}`).length > 0;

test('the ids that one sender uses are not used up for another, nor do they show what the other has sent', async () => {
  const [first, second] = [await addSource(), await addSource({ organizations: [ghe] })];
  const same = { source: '/ci', id: 'run-42' };
  const others = { ...event({ ...ghe, repository_id: '601' }), ...same };
  await send(second.value, others);
  const own = { ...event(), ...same };
  const answer = await send(first.value, own);
  assert.deepEqual([answer.status, answer.json.accepted, answer.json.duplicate], [200, 1, 0], answer.text);
  assert.ok(await isStored(own.data.number));
  assert.equal((await send(first.value, own)).json.duplicate, 1);
  const { json } = await server.events([{ ...event(), ...same }]);
  assert.deepEqual([json.accepted, json.duplicate], [1, 0]);
});

describe('adding, listing and removing', () => {
  test('the value is shown once, and only its hash is stored', async () => {
    const source = await addSource({
      organizations: [acme, { ...acme, instance: null }],
      types: ['postil.security_scan', 'postil.pull_request', 'postil.security_scan'],
    });
    assert.match(source.value, /^pss_[0-9A-Za-z]{49}$/);
    const { value, ...shown } = source;
    assert.deepEqual(shown.organizations, [{ ...acme, instance: null }]);
    assert.deepEqual(shown.types, ['postil.pull_request', 'postil.security_scan']);
    const read = await server.operator('GET', `/operator/v1/sources/${source.id}`);
    assert.deepEqual(read.json, { ...shown, last_used_at: null });
    const [row] = await sql`SELECT to_jsonb(s)::text AS text FROM event_sources s WHERE id = ${source.id}`;
    assert.ok(!row!.text.includes(value));
    assert.ok(!server.logLines.join('').includes(value));
  });

  test('sources are listed page by page, newest first', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      server.now = new Date(server.now.getTime() + 1000);
      ids.unshift((await addSource({ name })).id);
    }
    const first = (await server.operator('GET', '/operator/v1/sources?limit=2')).json;
    const rest = (await server.operator('GET', `/operator/v1/sources?limit=1&cursor=${first.next_cursor}`))
      .json;
    const listed = [...first.data, ...rest.data].map(({ id }: { id: string }) => id);
    assert.deepEqual(listed, ids);
    const all = (await server.operator('GET', '/operator/v1/sources')).json;
    assert.equal(all.next_cursor, null);
    assert.ok(all.data.every((source: object) => !('value' in source)));
  });

  for (const [what, fields] of [
    ['no name', { name: ' ' }],
    ['no organization', { organizations: [] }],
    ['no type', { types: [] }],
    ['an unknown type', { types: ['postil.unknown'] }],
    ['an unknown field', { colour: 'red' }],
    ['an unknown provider', { organizations: [{ ...acme, provider: 'cvs' }] }],
  ] as const)
    test(`${what} is rejected`, async () => {
      const [before] = await sql`SELECT count(*)::int AS count FROM event_sources`;
      const answer = await server.operator('POST', '/operator/v1/sources', {
        name: 'x',
        organizations: [acme],
        types: ['postil.pull_request'],
        ...fields,
      });
      assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_REQUEST']);
      const [after] = await sql`SELECT count(*)::int AS count FROM event_sources`;
      assert.deepEqual(after, before);
    });

  test('an organization that does not exist is not found, and named by its position', async () => {
    const answer = await server.operator('POST', '/operator/v1/sources', {
      name: 'x',
      organizations: [acme, { ...acme, instance: 'ghe' }],
      types: ['postil.pull_request'],
    });
    assert.deepEqual(
      [answer.status, answer.json.error.message],
      [404, 'organizations[1]: there is no such organization'],
    );
  });

  test('it is in the audit log of each organization, and none names another', async () => {
    const { id, value } = await addSource({ name: 'audited', organizations: [acme, ghe] });
    assert.equal((await server.operator('DELETE', `/operator/v1/sources/${id}`)).status, 204);
    const entries = await sql`
      SELECT e.action, o.provider_organization_id AS org_id, e.actor_name, e.resource_summary, e.metadata
      FROM audit_entries e JOIN organizations o ON o.id = e.organization_id
      WHERE e.resource_id = ${id} ORDER BY e.action, org_id`;
    const said = {
      actor_name: 'System',
      resource_summary: 'audited',
      metadata: { types: ['postil.pull_request'] },
    };
    assert.deepEqual(
      [...entries],
      ['created', 'deleted'].flatMap((verb) =>
        ['1001', '2001'].map((org_id) => ({ action: `event_source.${verb}`, org_id, ...said })),
      ),
    );
    assert.ok(!JSON.stringify(entries).includes(value));
  });

  test('one that does not exist is 404', async () => {
    const { id } = await addSource();
    assert.equal((await server.operator('DELETE', `/operator/v1/sources/${id}`)).status, 204);
    for (const method of ['GET', 'DELETE'])
      assert.equal((await server.operator(method, `/operator/v1/sources/${id}`)).status, 404);
    assert.equal((await server.operator('GET', '/operator/v1/sources/nonsense')).status, 400);
  });
});

describe('sending', () => {
  test('events of its types for its organizations are accepted, with either header', async () => {
    const { id, value } = await addSource();
    const first = event();
    const answer = await send(value, first);
    assert.deepEqual(answer.json, { accepted: 1, duplicate: 0, failed: 0, errors: [] });
    assert.equal(answer.headers['x-ratelimit-limit'], '600');
    const bearer = await server.call('POST', '/v1/events', {
      body: first,
      headers: { authorization: `Bearer ${value}` },
    });
    assert.equal(bearer.json.duplicate, 1);
    const { last_used_at } = (await server.operator('GET', `/operator/v1/sources/${id}`)).json;
    assert.equal(last_used_at, server.now.toISOString());
  });

  const outside = [
    ['another organization', event({ org_id: '1002' })],
    ['an organization that does not exist', event({ org_id: 'nowhere' })],
    ['the same id on an instance', event({ instance: 'ghe' })],
    ['another provider', event({ provider: 'gitlab' })],
    ['another type', event({}, 'postil.security_scan')],
    ['a type that does not exist', event({}, 'postil.unknown')],
    ['another organization, with faulty data', event({ org_id: '1002', state: 'nonsense' })],
  ] as const;

  test('an event outside of its types and organizations is FORBIDDEN, alone and in a batch', async () => {
    const { value } = await addSource();
    for (const [what, sent] of outside) {
      const answer = await send(value, sent);
      assert.deepEqual([answer.status, answer.json.error.code], [403, 'FORBIDDEN'], what);
    }
    const good = event();
    const batch = await send(value, [...outside.map(([, sent]) => sent), good], batchType);
    assert.deepEqual([batch.status, batch.json.accepted, batch.json.failed], [200, 1, outside.length]);
    assert.ok(batch.json.errors.every(({ code }: { code: string }) => code === 'FORBIDDEN'));
    assert.ok(await isStored(good.data.number));
  });

  test('an invalid event within them fails with the same error as for the operator', async () => {
    const { value } = await addSource();
    for (const [data, status] of [
      [{ state: 'nonsense' }, 400],
      [{ repository_id: 'nowhere' }, 404],
    ] as const)
      assert.equal((await send(value, event(data))).status, status);
    assert.equal((await send(value, 'nonsense', 'text/plain')).status, 415);
    assert.equal((await server.call('POST', '/v1/events?org_id=1001', { key: value, body: {} })).status, 400);
  });

  test('a source gives access to nothing else, and to nothing of an organization that is no longer active', async () => {
    const { value } = await addSource({ organizations: [ghe] });
    for (const path of ['/v1/organizations', '/operator/v1/sources']) {
      assert.equal((await server.get(path, value)).status, 401);
      const headers = { authorization: `Bearer ${value}` };
      assert.equal((await server.call('GET', path, { headers })).status, 401);
    }
    await sql`UPDATE organizations SET active = false WHERE provider_organization_id = '2001'`;
    const answer = await send(value, event({ org_id: '2001', instance: 'ghe' }));
    await sql`UPDATE organizations SET active = true WHERE provider_organization_id = '2001'`;
    assert.deepEqual([answer.status, answer.json.error.code], [403, 'FORBIDDEN']);
  });

  test('requests beyond its limit are 429, for this source only', async () => {
    const [one, another] = [await addSource(), await addSource()];
    await sql`
      INSERT INTO rate_limit_windows (bucket, moments, counts, last_admitted)
      VALUES (${`events/source:${one.id}`}, ARRAY[clock_timestamp()], ARRAY[600], true)`;
    const refused = await send(one.value, event());
    assert.deepEqual([refused.status, refused.json.error.code], [429, 'RATE_LIMIT_EXCEEDED']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.equal((await send(another.value, event())).status, 200);
  });
});

describe('a source that is removed', () => {
  test('can no longer send events, immediately and on every node', async () => {
    const { id, value } = await addSource();
    const other = await server.secondNode();
    const call = () => other.call('POST', '/v1/events', { key: value, body: event() });
    assert.equal((await call()).status, 200);
    await server.operator('DELETE', `/operator/v1/sources/${id}`);
    assert.equal((await call()).status, 401);
  });

  for (const [type, body] of [
    ['application/json', (sent: object) => JSON.stringify(sent)],
    ['application/x-ndjson', (sent: object) => `${JSON.stringify(sent)}\n`],
  ] as const)
    test(`stores nothing of a body that was still being sent, as ${type}`, async () => {
      const { id, value } = await addSource();
      const sent = event();
      const headers = { 'x-service-api-key': value, 'content-type': type };
      const late = await callLate(server, 'POST', '/v1/events', headers, body(sent));
      while (
        (await sql`SELECT 1 FROM event_sources WHERE id = ${id} AND last_used_at IS NOT NULL`).length === 0
      )
        await sleep(10); // until it was authenticated
      await server.operator('DELETE', `/operator/v1/sources/${id}`);
      const answer = await late.finish();
      assert.equal(answer.status, 401);
      assert.equal(await isStored(sent.data.number), false);
    });
});
