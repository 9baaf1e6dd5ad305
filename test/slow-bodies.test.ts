import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { operatorToken, startTestApp } from './harness.ts';
import { callLate } from './late-caller.ts';
import { sendRaw } from './raw-http.ts';
import { sampleKeys, samplePlatform } from './sample-platform.ts';

const server = await startTestApp({ bodyTimeoutMs: 2_000 });
await server.platform(samplePlatform());
const key = { 'x-service-api-key': await server.createKey(sampleKeys.organization) };
// Long enough that a delay of the machine does not look like a slow client.
const patienceMs = 12_000;
const patient = await startTestApp({ bodyTimeoutMs: patienceMs });
await patient.platform(samplePlatform());
const operator = { authorization: `Bearer ${operatorToken}` };
const lines = { ...operator, 'content-type': 'application/x-ndjson' };

const event = (id: string) =>
  `${JSON.stringify({
    specversion: '1.0',
    id,
    source: '/slow',
    type: 'postil.pull_request',
    time: '2026-06-01T10:00:00Z',
    data: {
      provider: 'github',
      org_id: '1001',
      repository_id: '501',
      number: Number(id),
      url: `https://github.test/acme/api/pull/${id}`,
      state: 'open',
      created_at: '2026-06-01T09:00:00Z',
    },
  })}\n`;

describe('a body that does not arrive in time is 408 in the format of the endpoint, and ends the connection', {
  concurrency: true,
}, () => {
  for (const [method, path, headers, list] of [
    ['POST', '/v1/users/roles', key, 'error'],
    ['POST', '/v1/learnings', key, 'errors'],
    ['PATCH', '/v1/learnings/00000000-0000-4000-8000-000000000000', key, 'errors'],
    ['PUT', '/operator/v1/platform', operator, 'error'],
    ['POST', '/dashboard/v1/sign-in', { 'x-postil-dashboard': '1' }, 'error'],
    [
      'POST',
      '/operator/v1/events',
      { ...operator, 'content-type': 'application/cloudevents-batch+json' },
      'error',
    ],
  ] as const) {
    test(`${method} ${path}`, async () => {
      const call = await callLate(server, method, path, headers, '{');
      const trickle = setInterval(() => call.send(' '), 50);
      const answer = await call.answer.finally(() => clearInterval(trickle));
      assert.equal(answer.status, 408);
      assert.deepEqual(Object.keys(answer.json), [list]);
      const [error] = [answer.json[list]].flat();
      assert.equal(error.code, 'REQUEST_TIMEOUT');
      assert.equal(answer.headers.connection, 'close');
      assert.ok(answer.headers['x-request-id']);
    });
  }
});

test('bodies that come along with their heads are read whole, each its own, with or without their length', async () => {
  const chunk = (part: string) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`;
  const withLength = (body: string) => `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const chunked = (...parts: string[]) =>
    `transfer-encoding: chunked\r\n\r\n${[...parts, ''].map(chunk).join('')}`;
  const post = (body: string) =>
    `POST /operator/v1/events HTTP/1.1\r\nhost: a\r\nauthorization: ${operator.authorization}\r\n` +
    `content-type: application/cloudevents+json\r\n${body}`;
  const tooLarge =
    'POST /dashboard/v1/sign-in HTTP/1.1\r\nhost: a\r\nx-postil-dashboard: 1\r\nconnection: close\r\n' +
    `content-type: application/json\r\n${chunked(' '.repeat(40_000), ' '.repeat(40_000))}`;
  const answers = await sendRaw(
    patient,
    post(withLength(event('21'))) +
      post(chunked(event('22').slice(0, 50), event('22').slice(50))) +
      post(withLength('')) +
      post(withLength(event('21'))) +
      tooLarge,
  );
  const outcomes = answers.map(({ status, json: { accepted, duplicate, error } }) => [
    status,
    error?.code ?? [accepted, duplicate],
  ]);
  assert.deepEqual(outcomes, [
    [200, [1, 0]],
    [200, [1, 0]],
    [400, 'INVALID_REQUEST'],
    [200, [0, 1]],
    [413, 'PAYLOAD_TOO_LARGE'],
  ]);
});

test('a stream of events may take any time as long as data arrives', async () => {
  const call = await callLate(patient, 'POST', '/operator/v1/events', lines, event('1'));
  for (const id of ['2', '3', '4', '5', '6', '7', '8']) {
    await sleep(patienceMs / 6);
    call.send(event(id));
  }
  const answer = await call.finish();
  assert.deepEqual([answer.status, answer.json.accepted, answer.json.failed], [200, 8, 0]);
});

test('a stream of events that stalls is 408', async () => {
  const call = await callLate(server, 'POST', '/operator/v1/events', lines, event('9'));
  const answer = await call.answer;
  assert.deepEqual([answer.status, answer.json.error.code], [408, 'REQUEST_TIMEOUT']);
});
