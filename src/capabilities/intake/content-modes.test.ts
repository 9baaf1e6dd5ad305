import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { operatorToken, startTestApp } from '../../../test/harness.ts';
import { samplePlatform } from '../../../test/sample-platform.ts';
import { binaryEvent } from './binary-event.ts';
import {
  eventBatchMediaType,
  eventLinesMediaType,
  jsonMediaType,
  singleEventMediaType,
} from './read-events.ts';

const server = await startTestApp();
await server.platform(samplePlatform());

let serial = 0;
function event(data: Record<string, unknown> = {}) {
  serial += 1;
  return {
    specversion: '1.0',
    id: `mode-${serial}`,
    source: '/tests/modes',
    type: 'postil.pull_request',
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

const post = (body: unknown, headers: Record<string, string>) =>
  server.call('POST', '/operator/v1/events', {
    body,
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': jsonMediaType, ...headers },
  });

const one = { accepted: 1, duplicate: 0, failed: 0, errors: [] };

function inBinaryMode({ data, ...attributes }: ReturnType<typeof event>, headers = {}) {
  const named = Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value]);
  return post(data, { ...Object.fromEntries(named), ...headers });
}

describe('binary mode', () => {
  test('the attributes are in headers and the body is the data', async () => {
    const sent = event();
    assert.deepEqual((await inBinaryMode(sent)).json, one);
    const again = await post(sent, { 'content-type': singleEventMediaType });
    assert.equal(again.json.duplicate, 1, 'the same event, whatever the mode');
  });

  test('header values are unquoted, then percent-decoded once', async () => {
    const sent = { ...event(), id: 'a "50%25" é 😀' };
    const encoded = 'a%20%2250%2525%22%20%C3%A9%20%F0%9F%98%80';
    assert.deepEqual((await inBinaryMode(sent, { 'ce-id': encoded })).json, one);
    const quoted = '"a \\"50%2525\\" %C3%A9 %F0%9F%98%80"';
    assert.equal((await inBinaryMode(sent, { 'ce-id': quoted })).json.duplicate, 1);
    assert.equal((await post(sent, { 'content-type': singleEventMediaType })).json.duplicate, 1);
  });

  for (const [content, headers] of [
    ['a percent sign without an encoded byte', { 'ce-id': '100%' }],
    ['percent-encoded bytes that are not UTF-8', { 'ce-id': '%C3%28' }],
    ['the data', { 'ce-data': '{}' }],
    ['the content type', { 'ce-datacontenttype': 'application/json' }],
    ['another version', { 'ce-specversion': '0.3' }],
    ['an invalid attribute name', { 'ce-wrong_name': 'x' }],
  ] as const)
    test(`${content} in a header is rejected`, async () => {
      const answer = await inBinaryMode(event(), headers);
      assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_REQUEST'], answer.text);
    });

  test('an attribute that is missing or given twice is rejected', async () => {
    const { data } = event();
    const missing = await post(data, { 'ce-specversion': '1.0', 'ce-id': 'x' });
    assert.equal(missing.status, 400);
    assert.match(missing.json.error.message, /source: .*type: .*time: /s);
    assert.throws(() => binaryEvent(['ce-id', 'a', 'CE-ID', 'b'], data), /ce-id: given more than once/);
  });

  test('with the content type of a complete event, event headers are ignored', async () => {
    assert.deepEqual((await post(event(), { 'content-type': singleEventMediaType, 'ce-id': '%' })).json, one);
  });
});

test('application/json without event headers is one complete event', async () => {
  assert.deepEqual((await post(event(), { 'content-type': 'application/json; charset=utf-8' })).json, one);
  assert.equal((await post([event()], {})).status, 400);
});

describe('one event that fails answers with its code', () => {
  for (const [code, status, data] of [
    ['INVALID_REQUEST', 400, { state: 'merged' }],
    ['NOT_FOUND', 404, { org_id: 'nowhere' }],
    ['NOT_FOUND', 404, { repository_id: 'nowhere' }],
  ] as const) {
    for (const type of [singleEventMediaType, jsonMediaType])
      test(`${code} for ${JSON.stringify(data)} as ${type}`, async () => {
        const answer = await post(event(data), { 'content-type': type });
        assert.deepEqual([answer.status, answer.json.error.code], [status, code]);
      });
    test(`${code} for ${JSON.stringify(data)} in binary mode`, async () => {
      const answer = await inBinaryMode(event(data));
      assert.deepEqual([answer.status, answer.json.error.code], [status, code]);
    });
    test(`${code} for ${JSON.stringify(data)} is listed in a batch of one`, async () => {
      const batch = await post([event(data)], { 'content-type': eventBatchMediaType });
      assert.deepEqual([batch.status, batch.json.errors[0].code], [200, code]);
      const line = await post(JSON.stringify(event(data)), { 'content-type': eventLinesMediaType });
      assert.deepEqual([line.status, line.json.errors[0].code], [200, code]);
    });
  }
});

describe('gzip', () => {
  const zipped = (body: string | Buffer, type: string, encoding = 'gzip') =>
    post(gzipSync(body), { 'content-type': type, 'content-encoding': encoding });

  test('every form of body may be compressed', async () => {
    assert.deepEqual((await zipped(JSON.stringify(event()), singleEventMediaType)).json, one);
    assert.deepEqual((await zipped(JSON.stringify(event()), jsonMediaType, 'GZIP')).json, one);
    assert.equal((await zipped(JSON.stringify([event(), event()]), eventBatchMediaType)).json.accepted, 2);
    const lines = Array.from({ length: 1_500 }, () => `${JSON.stringify(event())}\n`).join('');
    assert.equal((await zipped(lines, eventLinesMediaType)).json.accepted, 1_500);
    const { data, ...attributes } = event();
    const headers = Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value]),
    );
    const binary = await post(gzipSync(JSON.stringify(data)), { ...headers, 'content-encoding': 'gzip' });
    assert.deepEqual(binary.json, one);
  });

  test('invalid or truncated gzip is 400; another encoding is 415', async () => {
    const whole = gzipSync(JSON.stringify(event()));
    for (const body of [Buffer.from('{}'), whole.subarray(0, -9), Buffer.alloc(0)])
      for (const type of [singleEventMediaType, eventLinesMediaType]) {
        const answer = await post(body, { 'content-type': type, 'content-encoding': 'gzip' });
        assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_REQUEST']);
      }
    for (const encoding of ['br', 'gzip, gzip', 'deflate'])
      assert.equal((await zipped('{}', singleEventMediaType, encoding)).status, 415);
  });

  test('a body that decompresses to gigabytes is 413 and is not held in memory', async () => {
    const member = gzipSync(Buffer.alloc(16 * 1024 * 1024, 0x20));
    const bomb = Buffer.concat(Array.from({ length: 16 }, () => member));
    for (const type of [eventBatchMediaType, eventLinesMediaType, singleEventMediaType]) {
      const answer = await post(bomb, { 'content-type': type, 'content-encoding': 'gzip' });
      assert.deepEqual([answer.status, answer.json.error.code], [413, 'PAYLOAD_TOO_LARGE']);
    }
  });

  test('other endpoints still reject compressed bodies', async () => {
    const answer = await server.call('POST', '/operator/v1/keys', {
      body: gzipSync('{}'),
      headers: { authorization: `Bearer ${operatorToken}`, 'content-encoding': 'gzip' },
    });
    assert.equal(answer.status, 415);
  });
});

describe('bodies that are made to take long', () => {
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`F${index}`, 1]));

  test('an object with thousands of fields is refused as a whole, wherever it is', async () => {
    const finding = { finding_id: 'a', url: 'https://x.test/a', ...unknown(50_000) };
    for (const value of [
      { ...event(), ...unknown(50_000) },
      event(unknown(50_000)),
      event({ findings: [finding] }),
    ]) {
      const answer = await post(JSON.stringify(value), { 'content-type': jsonMediaType });
      assert.equal(answer.status, 400);
      assert.match(answer.text, /an object has more than 1000 fields/);
      const batch = await post(JSON.stringify([event(), value]), { 'content-type': eventBatchMediaType });
      assert.deepEqual([batch.json.accepted, batch.json.failed], [1, 1]);
      const lines = [event(), value].map((item) => JSON.stringify(item)).join('\n');
      const streamed = await post(lines, { 'content-type': eventLinesMediaType });
      assert.deepEqual([streamed.json.accepted, streamed.json.failed], [1, 1]);
    }
  });

  test('gzip that expands to hundreds of times its size is 413, in every form', async () => {
    for (const text of ['\n', '1\n', '{}\n'])
      for (const type of [eventLinesMediaType, eventBatchMediaType, jsonMediaType]) {
        const body = gzipSync(text.repeat(2_000_000));
        const answer = await post(body, { 'content-type': type, 'content-encoding': 'gzip' });
        assert.equal(answer.status, 413, `${JSON.stringify(text)} as ${type}: ${answer.text.slice(0, 200)}`);
      }
  });

  test('blank lines and white space before a line cost nothing and mean nothing', async () => {
    const body = `${' \r\n\t\n'.repeat(500_000)}  ${JSON.stringify(event())}\n\n`;
    const answer = await post(body, { 'content-type': eventLinesMediaType });
    assert.deepEqual([answer.json.accepted, answer.json.failed], [1, 0]);
  });
});
