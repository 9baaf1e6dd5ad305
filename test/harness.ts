import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { type App, createApp } from '../src/app.ts';
import type { AppDeps } from '../src/app-deps.ts';
import { createDeterministicEmbedder } from '../src/capabilities/learnings/embedding/deterministic-embedder.ts';
import type { Endpoint } from '../src/http/endpoint.ts';
import { pathMatcher } from '../src/http/path-templates.ts';
import { createLog } from '../src/lib/log.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { createTestDeps } from './test-deps.ts';

export const operatorToken = 'operator-token-of-the-tests';

export interface Call {
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects, and fails if they are missing
  readonly json: any;
}

/** The production app on its own database, with a clock that only tests move. */
export interface TestApp {
  readonly app: App;
  readonly database: TestDatabase['database'];
  readonly target: TestDatabase['target'];
  /** Its workers do not run until a test starts them. */
  readonly queue: AppDeps['queue'];
  readonly vault: AppDeps['vault'];
  /** Every line that was logged. */
  readonly logLines: string[];
  now: Date;
  call(method: string, path: string, call?: Call): Promise<Answer>;
  get(path: string, key?: string): Promise<Answer>;
  operator(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Applies a platform document, which must be accepted. */
  platform(document: unknown): Promise<Answer>;
  /** Creates a key and returns its value. */
  createKey(request: Record<string, unknown>): Promise<string>;
  /** Sends a batch of events, optionally to another node, and returns the response. */
  events(events: readonly unknown[], on?: Pick<TestApp, 'call'>): Promise<Answer>;
  /** Resets the rate limits, for tests that are not about them. */
  resetLimits(): Promise<void>;
  /** Another server process's app on the same database, with the same clock. */
  secondNode(): Promise<Pick<TestApp, 'app' | 'call' | 'get'>>;
  close(): Promise<void>;
}

const patterns = new Map<string, RegExp>();

function matches(template: string, path: string): boolean {
  let pattern = patterns.get(template);
  if (pattern === undefined) {
    pattern = pathMatcher(template);
    patterns.set(template, pattern);
  }
  return pattern.test(path);
}

function endpointOf(app: App, method: string, path: string): Endpoint | undefined {
  return app.endpoints.find((endpoint) => endpoint.method === method && matches(endpoint.path, path));
}

// Checks every response in every test against the endpoint's declaration.
function checkDeclared(app: App, method: string, url: string, response: LightMyRequestResponse): void {
  const endpoint = endpointOf(app, method, url.split('?', 1)[0]!);
  assert.ok(response.headers['x-request-id'], 'every answer carries x-request-id');
  if (endpoint === undefined) return;
  const declared = endpoint.responses[response.statusCode];
  if (response.statusCode >= 400) {
    const body = response.json();
    // Errors in the format of another protocol.
    if (declared?.json?.safeParse(body).success) return;
    if (endpoint.errorBody === 'scim') {
      assert.equal(body.status, String(response.statusCode));
      assert.equal(response.headers['content-type'], 'application/scim+json; charset=utf-8');
      return;
    }
    const list = endpoint.errorBody === 'errors' ? body.errors : [body.error];
    assert.deepEqual(Object.keys(body), [endpoint.errorBody ?? 'error']);
    for (const error of list) assert.deepEqual(Object.keys(error).sort(), ['code', 'message']);
    return;
  }
  assert.ok(declared, `${method} ${url} answered ${response.statusCode}, which is not declared`);
  if (
    declared.json !== undefined &&
    String(response.headers['content-type']).startsWith(declared.mediaType ?? 'application/json')
  ) {
    const result = declared.json.safeParse(response.json());
    assert.ok(
      result.success,
      `${method} ${url}: the answer is not of the declared shape: ${result.error?.message}`,
    );
  }
  if (declared.json === undefined && declared.content === undefined) assert.equal(response.body, '');
}

function caller(node: { readonly app: App }): TestApp['call'] {
  return async (method, path, { key, body, headers } = {}) => {
    const { app } = node;
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    const response = await app.server.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...(key !== undefined && { 'x-service-api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: isText ? body : JSON.stringify(body) }),
    });
    checkDeclared(app, method, path, response);
    const isJson = /^application\/(scim\+)?json/.test(String(response.headers['content-type'] ?? ''));
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      text: response.body,
      json: isJson ? response.json() : undefined,
    };
  };
}

/** The modules of test files stay loaded, and would keep the closed apps of all of them in memory. */
function forgetApp(holder: { readonly app: App }): void {
  Reflect.deleteProperty(holder, 'app');
}

async function closeNode(node: { readonly app: App }): Promise<void> {
  await node.app.close();
  forgetApp(node);
}

/** Replacements for parts of the app; other settings keep their defaults. */
export type TestOverrides = Partial<Omit<AppDeps, 'settings'>> & {
  readonly settings?: Partial<AppDeps['settings']>;
};

/** Starts the app for a test file; it is closed when the file is done. */
export async function startTestApp(overrides: TestOverrides = {}): Promise<TestApp> {
  const { database, target, drop } = await createTestDatabase();
  const logLines: string[] = [];
  const nodes: { app: App }[] = [];
  const clock = { now: new Date('2026-06-15T12:00:00.000Z') };
  const deps: AppDeps = {
    database,
    clock: () => clock.now,
    log: createLog('info', { write: (line) => void logLines.push(line) }),
    embedder: createDeterministicEmbedder(),
    embeddingCacheBytes: 0,
    // Long timeouts, so that a busy machine does not look like an unavailable database, and no metric is left out.
    maxReadyMs: 60_000,
    maxMetricReadMs: 60_000,
    operatorToken,
    ...createTestDeps(
      target,
      () => nodes[0]!.app.units,
      (error) => void logLines.push(String(error)),
    ),
    ...overrides,
    settings: { metricsPerMinute: 60, apiKeyHeaderAliases: [], ...overrides.settings },
  };
  async function addNode() {
    const node = { app: await createApp(deps) };
    nodes.push(node);
    const call = caller(node);
    return Object.assign(node, { call, get: (path: string, key?: string) => call('GET', path, { key }) });
  }
  const node = await addNode();
  const operator = (method: string, path: string, body?: unknown) =>
    node.call(method, path, { body, headers: { authorization: `Bearer ${operatorToken}` } });
  const test: TestApp = {
    ...node,
    database,
    target,
    queue: deps.queue,
    vault: deps.vault,
    logLines,
    get now() {
      return clock.now;
    },
    set now(value) {
      clock.now = value;
    },
    operator,
    async platform(document) {
      const answer = await operator('PUT', '/operator/v1/platform', document);
      assert.equal(answer.status, 200, answer.text);
      return answer;
    },
    async createKey(request) {
      const answer = await operator('POST', '/operator/v1/keys', { name: 'test', ...request });
      assert.equal(answer.status, 201, answer.text);
      return answer.json.value;
    },
    events: (events, on = node) =>
      on.call('POST', '/operator/v1/events', {
        body: events,
        headers: {
          authorization: `Bearer ${operatorToken}`,
          'content-type': 'application/cloudevents-batch+json',
        },
      }),
    resetLimits: async () => {
      // A limiter caches its rejections for the life of its node, so tests must reset before they are rejected.
      // Some tests do so thousands of times: TRUNCATE creates new files, which takes many times as long.
      await database.sql`DELETE FROM rate_limit_windows`;
    },
    secondNode: addNode,
    async close() {
      await deps.queue.stop();
      await Promise.all(nodes.splice(0).map(closeNode));
      await deps.outbound.close();
      await deps.customerOutbound.close();
      await drop();
      forgetApp(test);
    },
  };
  after(() => test.close());
  return test;
}
