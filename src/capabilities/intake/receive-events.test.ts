import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { z } from 'zod';
import { startTestApp } from '../../../test/harness.ts';
import { samplePlatform } from '../../../test/sample-platform.ts';
import { RequestBody } from '../../http/request/request-body.ts';
import { AppError } from '../../lib/app-error.ts';
import { MetricsRegistry } from '../../lib/metrics.ts';
import { eventFollower, eventType, preparedEventType, typesByName } from './event-type.ts';
import { intakeMetrics } from './intake-metrics.ts';
import { eventBatchMediaType, eventLinesMediaType, singleEventMediaType } from './read-events.ts';
import { type IntakeDeps, receiveEvents as receive } from './receive-events.ts';
import { createSingleEventStore } from './store-single-event.ts';

// The envelope is tested with an event type of its own, which only records what it received.
const server = await startTestApp();
await server.platform(samplePlatform());
const { sql } = server.database;
await sql`CREATE TABLE noted (organization_id uuid, repository_id uuid, note text, time timestamptz)`;
await sql`CREATE TABLE followed (note text)`;

const deps: IntakeDeps = {
  database: server.database,
  metrics: intakeMetrics(new MetricsRegistry()),
  eventMemoryDays: 90,
  onError: () => {},
  types: typesByName([
    eventType({
      type: 'test.note',
      isIdempotent: true,
      hasRepository: true,
      data: z.strictObject({ repository_id: z.string(), note: z.string().max(100) }),
      async apply(tx, events) {
        const failed = events.filter(({ data }) => data.note === 'refuse');
        for (const event of events.filter(({ data }) => data.note !== 'refuse')) {
          await tx`INSERT INTO noted VALUES (${event.organization.id}, ${event.repository!.id}, ${event.data.note}, ${event.time})`;
          if (event.data.note === 'crash') await tx`SELECT 1 / 0`;
        }
        return failed.map(({ index }) => ({ index, code: 'INVALID_REQUEST' as const, message: 'refused' }));
      },
    }),
  ]),
  followers: [
    eventFollower<{ note: string }>({
      type: 'test.note',
      async follow(tx, events) {
        for (const { data } of events) await tx`INSERT INTO followed VALUES (${data.note})`;
      },
    }),
  ],
};

const storeSingleEvent = createSingleEventStore(deps);
const receiveEvents = (using: IntakeDeps, body: RequestBody, now: Date) =>
  receive({ ...using, storeSingleEvent }, body, now);

let serial = 0;
function event(data: Record<string, unknown> = {}, fields: Record<string, unknown> = {}) {
  serial += 1;
  return {
    specversion: '1.0',
    id: `event-${serial}`,
    source: '/tests',
    type: 'test.note',
    time: '2026-06-01T10:00:00Z',
    data: { provider: 'github', org_id: '1001', repository_id: '501', note: `note-${serial}`, ...data },
    ...fields,
  };
}

function request(type: string, body: string | Iterable<string>): RequestBody {
  const chunks = typeof body === 'string' ? [body] : body;
  const stream = Readable.from(
    (function* () {
      for (const chunk of chunks) yield Buffer.from(chunk);
    })(),
  );
  return new RequestBody(
    Object.assign(stream, { headers: { 'content-type': type }, rawHeaders: [] }) as never,
  );
}

const batch = (events: unknown[]) =>
  receiveEvents(deps, request(eventBatchMediaType, JSON.stringify(events)), server.now);
const count = async (note: string) =>
  (await sql`SELECT count(*)::int AS count FROM noted WHERE note = ${note}`)[0]!.count;

test('an event seen before is a duplicate and changes nothing, in one batch and across batches', async () => {
  const one = event();
  assert.deepEqual(await batch([one, one]), { accepted: 1, duplicate: 1, failed: 0, errors: [] });
  assert.deepEqual(await batch([one, { ...one, source: '/others' }]), {
    accepted: 1,
    duplicate: 1,
    failed: 0,
    errors: [],
  });
  assert.equal(await count(one.data.note), 2);
});

test('the same events sent by several callers at once are stored once', async () => {
  const events = Array.from({ length: 40 }, () => event({ note: 'race' }));
  const shuffled = [events, events.toReversed(), [...events.slice(20), ...events.slice(0, 20)]];
  const outcomes = await Promise.all(shuffled.map(batch));
  assert.equal(
    outcomes.reduce((sum, { accepted }) => sum + accepted, 0),
    40,
  );
  assert.equal(await count('race'), 40);
});

test('an invalid event fails with its index, id and code; the others of the batch are stored', async () => {
  const good = event();
  const outcome = await batch([
    event({}, { specversion: '0.3' }),
    good,
    event({}, { time: undefined }),
    event({}, { time: '2026-02-30T00:00:00Z' }),
    event({}, { type: 'test.unknown' }),
    event({ colour: 'red' }),
    event({ org_id: 'nowhere' }),
    event({ repository_id: 'nowhere' }),
    event({ instance: 'ghe' }),
    event({ note: 'refuse' }),
    event({ note: 'a\0b' }),
    'nonsense',
    null,
    event({}, { id: '' }),
    event({}, { Wrong_Name: 1 }),
  ]);
  assert.equal(outcome.accepted, 1);
  assert.equal(await count(good.data.note), 1);
  const codes = outcome.errors.map(({ index, code }) => [index, code]);
  assert.deepEqual(codes, [
    [0, 'INVALID_REQUEST'],
    [2, 'INVALID_REQUEST'],
    [3, 'INVALID_REQUEST'],
    [4, 'INVALID_REQUEST'],
    [5, 'INVALID_REQUEST'],
    [6, 'NOT_FOUND'],
    [7, 'NOT_FOUND'],
    [8, 'NOT_FOUND'],
    [9, 'INVALID_REQUEST'],
    [10, 'INVALID_REQUEST'],
    [11, 'INVALID_REQUEST'],
    [12, 'INVALID_REQUEST'],
    [13, 'INVALID_REQUEST'],
    [14, 'INVALID_REQUEST'],
  ]);
  assert.equal(outcome.failed, outcome.errors.length);
  assert.ok(outcome.errors[0]!.id?.startsWith('event-'));
});

test('a repeat in one batch is a duplicate only of an event that was stored', async () => {
  const stored = event({ note: 'repeated' });
  const failing = event({ org_id: 'nowhere' });
  const corrected = { ...failing, data: { ...failing.data, org_id: '1001', note: 'second chance' } };
  const outcome = await batch([failing, stored, corrected, stored, corrected]);
  assert.deepEqual([outcome.accepted, outcome.duplicate, outcome.failed], [2, 2, 1]);
  assert.deepEqual([await count('repeated'), await count('second chance')], [1, 1]);
});

test('an event that failed is not remembered as seen, and can be sent again', async () => {
  const refused = event({ note: 'refuse' });
  assert.equal((await batch([refused])).failed, 1);
  const corrected = { ...refused, data: { ...refused.data, note: 'corrected' } };
  assert.equal((await batch([corrected])).accepted, 1);
  assert.equal(await count('corrected'), 1);
});

test('an event that makes a statement fail does not affect the others', async () => {
  const outcome = await batch([
    event({ note: 'before' }),
    event({ note: 'crash' }),
    event({ note: 'after' }),
  ]);
  assert.deepEqual([outcome.accepted, outcome.failed, outcome.errors[0]?.code], [2, 1, 'INTERNAL_ERROR']);
  assert.deepEqual([await count('before'), await count('crash'), await count('after')], [1, 0, 1]);
});

test('followers get the events that were applied, in the same transaction', async () => {
  await batch([event({ note: 'applied' }), event({ note: 'refuse' })]);
  const rows = await sql`SELECT note FROM followed WHERE note IN ('applied', 'refuse', 'crash')`;
  assert.deepEqual(
    rows.map(({ note }) => note),
    ['applied'],
  );
});

test('a single event, and a stream of any length with invalid lines in between, are stored', async () => {
  assert.equal(
    (await receiveEvents(deps, request(singleEventMediaType, JSON.stringify(event())), server.now)).accepted,
    1,
  );
  const total = 2_500;
  function* lines() {
    for (let index = 0; index < total; index += 1) {
      const line = `${JSON.stringify(event({ note: 'line' }))}\r\n`;
      yield line.slice(0, 50);
      yield line.slice(50);
      if (index % 1000 === 0) yield '\n{broken\n  \n';
    }
  }
  const outcome = await receiveEvents(deps, request(eventLinesMediaType, lines()), server.now);
  assert.deepEqual(
    [outcome.accepted, outcome.failed, outcome.errors.map(({ index }) => index)],
    [total, 3, [1, 1002, 2003]],
  );
  assert.equal(await count('line'), total);
});

test('single events that arrive at once each get their own answer, as if they had come alone', async () => {
  const notes = ['good', 'refuse', 'crash'];
  const events = Array.from({ length: 30 }, (_, index) => event({ note: `${notes[index % 3]}` }));
  const sent = [...events, ...events.filter(({ data }) => data.note === 'good')];
  const outcomes = await Promise.allSettled(
    sent.map((one) => receiveEvents(deps, request(singleEventMediaType, JSON.stringify(one)), server.now)),
  );
  const answers = outcomes.map((outcome) =>
    outcome.status === 'fulfilled'
      ? `${outcome.value.accepted} accepted, ${outcome.value.duplicate} duplicate`
      : (outcome.reason as AppError).code,
  );
  for (const [index, { data }] of events.entries()) {
    if (data.note === 'refuse') assert.equal(answers[index], 'INVALID_REQUEST');
    if (data.note === 'crash') assert.equal(answers[index], 'INTERNAL_ERROR');
  }
  const good = answers.filter((_, index) => sent[index]!.data.note === 'good');
  assert.deepEqual(good.toSorted(), [
    ...new Array<string>(10).fill('0 accepted, 1 duplicate'),
    ...new Array<string>(10).fill('1 accepted, 0 duplicate'),
  ]);
  assert.deepEqual([await count('good'), await count('refuse'), await count('crash')], [10, 0, 0]);
});

test('over HTTP: a wrong content type is 415; broken JSON and a batch that is not an array are 400', async () => {
  const post = (type: string, body: string) =>
    server.call('POST', '/operator/v1/events', {
      body,
      headers: { authorization: 'Bearer operator-token-of-the-tests', 'content-type': type },
    });
  assert.equal((await post('text/plain', '[]')).status, 415);
  assert.equal((await post(eventBatchMediaType, '{')).status, 400);
  assert.equal((await post(eventBatchMediaType, '{}')).status, 400);
  assert.equal((await post(singleEventMediaType, '[]')).status, 400);
  assert.deepEqual((await post(eventBatchMediaType, '[]')).json, {
    accepted: 0,
    duplicate: 0,
    failed: 0,
    errors: [],
  });
  assert.deepEqual((await post(eventLinesMediaType, '')).json, {
    accepted: 0,
    duplicate: 0,
    failed: 0,
    errors: [],
  });
});

test('apply gets prepared data; an event that cannot be prepared fails alone', async () => {
  const received: string[] = [];
  const errors: unknown[] = [];
  const prepared: IntakeDeps = {
    ...deps,
    followers: [],
    onError: (error) => errors.push(error),
    types: typesByName([
      preparedEventType({
        type: 'test.note',
        isIdempotent: true,
        hasRepository: true,
        data: z.strictObject({ repository_id: z.string(), note: z.string() }),
        async prepare({ note }) {
          if (note === 'refuse') throw new AppError('INVALID_REQUEST', 'data.note: no');
          if (note === 'crash') throw new TypeError('boom');
          return note.toUpperCase();
        },
        async apply(_tx, events) {
          received.push(...events.map(({ data }) => data));
          return [];
        },
      }),
    ]),
  };
  const events = [event({ note: 'refuse' }), event({ note: 'good' }), event({ note: 'crash' })];
  const outcome = await receiveEvents(
    prepared,
    request(eventBatchMediaType, JSON.stringify(events)),
    server.now,
  );
  assert.deepEqual(received, ['GOOD']);
  assert.equal(outcome.accepted, 1);
  assert.deepEqual(outcome.errors, [
    { index: 0, id: events[0]!.id, code: 'INVALID_REQUEST', message: 'data.note: no' },
    { index: 2, id: events[2]!.id, code: 'INTERNAL_ERROR', message: 'The event could not be read' },
  ]);
  assert.equal(errors.length, 1);
});

for (const [form, whole] of [
  [eventLinesMediaType, (events: unknown[]) => events.map((item) => `${JSON.stringify(item)}\n`)],
  [eventBatchMediaType, (events: unknown[]) => JSON.stringify(events)],
] as const) {
  test(`other work gets its turn while ${form} that has fully arrived is read`, async () => {
    let turns = 0;
    let isReading = true;
    const countTurn = () => {
      turns += 1;
      if (isReading) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    const unknown = Array.from({ length: 900 }, () => event({}, { type: 'test.unknown' }));
    const { failed } = await receiveEvents(deps, request(form, whole(unknown)), server.now);
    isReading = false;
    assert.equal(failed, 900);
    assert.ok(turns >= 900 / 50, `${turns} turns`);
  });
}

test('a field named __proto__ is unknown like any other, in the envelope and in the data', async () => {
  const text = (place: 'envelope' | 'data') =>
    place === 'envelope'
      ? JSON.stringify(event()).replace('{', '{"__proto__":{"a":1},')
      : JSON.stringify(event()).replace('"data":{', '"data":{"__proto__":{"a":1},');
  const lines = `${text('envelope')}\n${text('data')}\n`;
  const { accepted, errors } = await receiveEvents(deps, request(eventLinesMediaType, lines), server.now);
  assert.equal(accepted, 0);
  assert.deepEqual(
    errors.map(({ message }) => message),
    ['__proto__: unknown field', 'data.__proto__: unknown field'],
  );
});

test('free-form data that is nested too deeply is rejected, even as a line without escapes', async () => {
  const prepared = preparedEventType<{ tree: unknown }, { tree: unknown }>({
    type: 'test.tree',
    isIdempotent: true,
    hasRepository: false,
    data: z.strictObject({ tree: z.unknown() }),
    prepare: async (data) => data,
    apply: async () => [],
  });
  const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
  const { repository_id: _, note: __, ...own } = event().data;
  const line = JSON.stringify({ ...event(), type: 'test.tree', data: { ...own, tree: 0 } });
  const lines = `${line.replace('"tree":0', `"tree":${deep}`)}\n`;
  const only = { ...deps, types: typesByName([prepared]) };
  const { errors } = await receiveEvents(only, request(eventLinesMediaType, lines), server.now);
  assert.match(errors[0]!.message, /nested more than 64 levels/);
});
