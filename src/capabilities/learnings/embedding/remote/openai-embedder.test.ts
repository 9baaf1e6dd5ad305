import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import type { Embedder } from '../embedder.ts';
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from './openai-embedder.ts';

const KEY = 'sk-top-secret';
const TEXT = 'a text that must stay private';

interface EmbeddingsRequest {
  readonly model: string;
  readonly input: string[];
  readonly encoding_format: string;
}

/** Gives each text the vector (1, its length), as a good endpoint would. */
function answerWell(body: EmbeddingsRequest, response: ServerResponse): void {
  const data = body.input.map((text, index) => ({ index, embedding: [1, text.length] }));
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
}

async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts an endpoint whose n-th request the n-th handler answers (the last one all the rest). */
async function startEndpoint(
  t: TestContext,
  handlers: ((body: EmbeddingsRequest, response: ServerResponse) => void)[],
  options: Partial<OpenAiEmbedderOptions> = {},
): Promise<{ embedder: Embedder; requests: IncomingMessage[]; bodies: EmbeddingsRequest[] }> {
  const requests: IncomingMessage[] = [];
  const bodies: EmbeddingsRequest[] = [];
  const origin = await listen(t, async (request, response) => {
    const body = (await json(request)) as EmbeddingsRequest;
    requests.push(request);
    bodies.push(body);
    (handlers[requests.length - 1] ?? handlers.at(-1)!)(body, response);
  });
  const embedder = createOpenAiEmbedder({
    url: `${origin}/v1?api-version=1`,
    model: 'small',
    apiKey: KEY,
    ...options,
    limits: { backoffMs: 1, ...options.limits },
  });
  t.after(() => embedder.close());
  return { embedder, requests, bodies };
}

const respondWith =
  (status: number, headers: Record<string, string> = {}) =>
  (body: EmbeddingsRequest, response: ServerResponse) => {
    response.writeHead(status, headers).end(`${KEY} ${body.input[0]}`);
  };

/** The call fails with this message, which holds neither text nor key, and nothing else does. */
async function assertFails(embedder: Embedder, message: RegExp): Promise<void> {
  await assert.rejects(embedder.embed([TEXT], { kind: 'document' }), (error: Error) => {
    assert.equal(error.name, 'EmbeddingFailed');
    assert.match(error.message, message);
    for (const secret of [KEY, TEXT]) assert.ok(!`${error.stack} ${JSON.stringify(error)}`.includes(secret));
    assert.equal(error.cause, undefined);
    return true;
  });
}

describe('the embedder of an OpenAI-compatible endpoint', () => {
  it('sends model, texts and key in the format of the API', async (t) => {
    const { embedder, requests, bodies } = await startEndpoint(t, [answerWell]);
    assert.equal(embedder.dimensions, undefined);
    const embeddings = await embedder.embed(['ab', 'a\ud800'], { kind: 'document' });
    assert.equal(embedder.dimensions, 2);
    assert.deepEqual(bodies, [{ model: 'small', input: ['ab', 'a\ufffd'], encoding_format: 'float' }]);
    assert.equal(requests[0]!.method, 'POST');
    assert.equal(requests[0]!.url, '/v1/embeddings?api-version=1');
    assert.equal(requests[0]!.headers.authorization, `Bearer ${KEY}`);
    assert.equal(embeddings.length, 2);
    assert.ok(Math.abs(Math.hypot(...embeddings[0]![0]!) - 1) < 1e-6);
  });

  it('sends no authorization without a key', async (t) => {
    const { embedder, requests } = await startEndpoint(t, [answerWell], { apiKey: undefined });
    await embedder.embed([TEXT], { kind: 'query' });
    assert.equal(requests[0]!.headers.authorization, undefined);
  });

  it('sends at most 64 texts at once and splits long ones, and keeps the order', async (t) => {
    const { embedder, bodies } = await startEndpoint(t, [answerWell]);
    const texts = Array.from({ length: 70 }, (_, index) => 'x'.repeat(index + 1));
    texts[3] = 'word '.repeat(300);
    const embeddings = await embedder.embed(texts, { kind: 'document' });
    const chunkCount = embeddings[3]!.length;
    assert.ok(chunkCount > 1);
    assert.deepEqual(
      bodies.map((body) => body.input.length),
      [64, 70 - 1 + chunkCount - 64],
    );
    for (const [index, text] of texts.entries()) {
      if (index === 3) continue;
      const [vector] = embeddings[index]!;
      assert.ok(Math.abs(vector![1]! / vector![0]! - text.length) < 1e-3);
    }
    assert.deepEqual(await embedder.embed([], { kind: 'document' }), []);
  });

  it('retries after 429, 5xx and broken connections', async (t) => {
    const breakOff = (_body: EmbeddingsRequest, response: ServerResponse) => void response.destroy();
    const breakOffInside = (_body: EmbeddingsRequest, response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setImmediate(() => response.destroy());
    };
    const faults = [respondWith(429, { 'retry-after': '0' }), respondWith(503), breakOff, breakOffInside];
    const { embedder, requests } = await startEndpoint(t, [...faults, answerWell], {
      limits: { attempts: 5 },
    });
    assert.equal((await embedder.embed([TEXT], { kind: 'query' })).length, 1);
    assert.equal(requests.length, 5);
  });

  it('waits as long as Retry-After says instead of its own backoff', async (t) => {
    const handlers = [respondWith(429, { 'retry-after': '0' }), answerWell];
    const { embedder, requests } = await startEndpoint(t, handlers, { limits: { backoffMs: 10_000_000 } });
    await embedder.embed([TEXT], { kind: 'query' });
    assert.equal(requests.length, 2);
  });

  it('does not retry when Retry-After exceeds the limit, in seconds or as a date', async (t) => {
    for (const value of ['1', 'Fri, 31 Dec 9999 23:59:59 GMT']) {
      const handlers = [respondWith(429, { 'retry-after': value }), answerWell];
      const { embedder, requests } = await startEndpoint(t, handlers, { limits: { maxWaitMs: 999 } });
      await assertFails(embedder, /answered 429$/);
      assert.equal(requests.length, 1);
    }
  });

  it('stops after the last attempt', async (t) => {
    const { embedder, requests } = await startEndpoint(t, [respondWith(500)], { limits: { attempts: 2 } });
    await assertFails(embedder, /answered 500$/);
    assert.equal(requests.length, 2);
  });

  it('tries only once when the request itself is rejected', async (t) => {
    for (const status of [400, 401, 404]) {
      const { embedder, requests } = await startEndpoint(t, [respondWith(status)]);
      await assertFails(embedder, new RegExp(`answered ${status}$`));
      assert.equal(requests.length, 1);
    }
  });

  it('does not follow redirects', async (t) => {
    let strayed = 0;
    const elsewhere = await listen(t, (_request, response) => {
      strayed += 1;
      response.end();
    });
    const { embedder } = await startEndpoint(t, [respondWith(307, { location: elsewhere })]);
    await assertFails(embedder, /answered 307: redirects are not followed$/);
    assert.equal(strayed, 0);
  });

  it('rejects a response that is too large, not JSON, or invalid', async (t) => {
    const answers: [RegExp, string][] = [
      [/too large$/, JSON.stringify({ data: [], padding: 'x'.repeat(5000) })],
      [/not JSON$/, `${KEY} ${TEXT}`],
      [/invalid response/, JSON.stringify({ data: [] })],
    ];
    for (const [message, answer] of answers) {
      const { embedder, requests } = await startEndpoint(
        t,
        [(_body, response) => void response.end(answer)],
        {
          limits: { maxAnswerBytes: 1000 },
        },
      );
      await assertFails(embedder, message);
      assert.equal(requests.length, 1);
    }
  });

  it('rejects vectors that suddenly have another length', async (t) => {
    const other = (_body: EmbeddingsRequest, response: ServerResponse) =>
      void response.end(JSON.stringify({ data: [{ index: 0, embedding: [1, 2, 3] }] }));
    const { embedder } = await startEndpoint(t, [answerWell, other]);
    await embedder.embed([TEXT], { kind: 'query' });
    await assertFails(embedder, /vectors of 3 instead of 2 dimensions$/);
  });

  it('fails when an endpoint does not finish its response in time', async (t) => {
    const stalls = [
      () => {},
      (_body: EmbeddingsRequest, response: ServerResponse) => void response.writeHead(200).write('{'),
    ];
    for (const stall of stalls) {
      const { embedder, requests } = await startEndpoint(t, [stall], {
        limits: { timeoutMs: 100, attempts: 2 },
      });
      await assertFails(embedder, /did not answer within 100 ms$/);
      assert.ok(requests.length <= 2);
    }
  });

  it('reports the system error code when the endpoint cannot be reached', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const url = `http://127.0.0.1:${port}/v1`;
    await assertFails(
      createOpenAiEmbedder({ url, model: 'small', apiKey: KEY, limits: { backoffMs: 1 } }),
      /cannot be reached \(ECONNREFUSED\)$/,
    );
  });

  it('ends running calls, even those waiting to retry, when aborted or closed', async (t) => {
    const later = [respondWith(429, { 'retry-after': '10' })];
    for (const handlers of [[() => {}], later]) {
      const { embedder } = await startEndpoint(t, handlers);
      const signal = AbortSignal.timeout(100);
      await assert.rejects(embedder.embed([TEXT], { kind: 'query', signal }), { name: 'EmbeddingFailed' });
      const open = assertFails(embedder, /request was aborted$/);
      setTimeout(() => embedder.close(), 100);
      await open;
      await assertFails(embedder, /request was aborted$/);
    }
  });
});
