import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startTestApp } from '../../../../test/harness.ts';
import { withoutLimits } from '../../../../test/metrics-reader.ts';
import { finding, pullRequest, pullRequestEvent } from '../../../../test/review-events.ts';
import { sampleKeys, samplePlatform } from '../../../../test/sample-platform.ts';

const server = await startTestApp(withoutLimits);
await server.platform(samplePlatform());
const address = await server.app.server.listen({ port: 0, host: '127.0.0.1' });
const agent = new http.Agent({ keepAlive: true, maxSockets: 12 });
after(() => agent.destroy());

const organizations = ['1001', '1002', '3001'];
const path = '/v1/metrics/review-comments?start_date=2026-03-01&end_date=2026-03-31';

/** Pages of different sizes, some beyond what is pooled, with no text in common between organizations. */
async function fill(orgId: string, index: number): Promise<void> {
  const events = Array.from({ length: 60 }, (_, number) => {
    const findings = [1, 2, 25, 70][(number + index) % 4]!;
    const url = `https://${orgId}.test/${orgId.repeat(400)}`;
    const data = pullRequest({ findings: Array.from({ length: findings }, () => finding({ url })) });
    return pullRequestEvent({ ...data, org_id: orgId });
  });
  const answer = await server.events(events);
  assert.equal(answer.json.accepted, events.length, answer.text);
}

/** Gets a page; an aborted one is destroyed after its first bytes. */
function get(key: string, query: string, isAborted: boolean, encoding: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-service-api-key': key, 'accept-encoding': encoding };
    const request = http.get(address + path + query, { agent, headers }, async (response) => {
      if (isAborted) {
        response.once('data', () => response.destroy());
        response.once('close', () => resolve(null));
        response.on('error', () => {});
        return;
      }
      const body = Buffer.concat(await response.toArray());
      const text = response.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      resolve(`${response.statusCode} ${text}`);
    });
    request.on('error', (error) => (isAborted ? resolve(null) : reject(error)));
  });
}

/** Requests a page several times on one connection, and reads the responses later: more than socket buffers can hold. */
function getLate(key: string, times: number): () => Promise<string[]> {
  const { hostname, port } = new URL(address);
  const socket = net.connect({ host: hostname, port: Number(port) });
  socket.pause();
  const request = (connection: string) =>
    `GET ${path} HTTP/1.1\r\nhost: postil\r\nx-service-api-key: ${key}\r\nconnection: ${connection}\r\n\r\n`;
  socket.write(request('keep-alive').repeat(times - 1) + request('close'));
  return async () => {
    const answers = Buffer.concat(await socket.toArray())
      .toString()
      .split(/HTTP\/1\.1 (?=200)/)
      .slice(1);
    return answers.map((answer) => `200 ${answer.slice(answer.indexOf('\r\n\r\n') + 4)}`);
  };
}

test('concurrent responses to several tenants, some aborted midway, never contain bytes of one another', async () => {
  const keys: string[] = [];
  for (const [index, orgId] of organizations.entries()) {
    await fill(orgId, index);
    keys.push(await server.createKey({ ...sampleKeys.organization, org_id: orgId }));
  }
  const queries = ['', '&limit=7', '&limit=1'];
  const withoutCursor = (text: string | null) => text?.replace(/"next_cursor":.*/, '');
  const expected = new Map<string, string | undefined>();
  for (const key of keys)
    for (const query of queries)
      expected.set(key + query, withoutCursor(await get(key, query, false, 'identity')));
  assert.equal(new Set(expected.values()).size, 9);
  const late = keys.map((key) => ({ key, read: getLate(key, 6) }));

  await Promise.all(
    Array.from({ length: 12 }, async (_, caller) => {
      for (let turn = 0; turn < 12; turn++) {
        const choice = caller * 31 + turn * 7;
        const key = keys[choice % 3]!;
        const query = queries[(choice >> 2) % 3]!;
        const text = await get(key, query, choice % 5 === 0, choice % 4 === 0 ? 'gzip' : 'identity');
        if (text !== null) assert.equal(withoutCursor(text), expected.get(key + query), `${key} ${query}`);
      }
    }),
  );
  for (const { key, read } of late) {
    const answers = await read();
    assert.equal(answers.length, 6);
    for (const answer of answers) assert.ok(withoutCursor(answer) === expected.get(key), 'a late answer');
  }
});
