import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { assertShown } from '../guides/expected-output.ts';
import { operatorToken, startTestApp } from '../harness.ts';
import { removeFolder } from '../remove-folder.ts';
import { sampleKeys, samplePlatform } from '../sample-platform.ts';
import { packSdk, type Sdk, sdkFolder } from './packed-sdk.ts';

const run = promisify(execFile);
const notThere = '00000000-0000-4000-8000-000000000000';

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
}

/** The required parameters; one without a known value gets an id that does not exist. */
function requiredOf(parameters: readonly Parameter[], values: Readonly<Record<string, string>>) {
  const params: Record<string, Record<string, string>> = {};
  for (const { name, in: place } of parameters.filter(({ required }) => required))
    params[place] = { ...params[place], [name]: values[name] ?? notThere };
  return params;
}

interface Described {
  readonly paths: Record<
    string,
    {
      get?: {
        parameters?: Parameter[];
        responses: Record<number, { content?: Record<string, unknown> }>;
      };
    }
  >;
}

const exampleFile = (index: number) => `example-${index}.ts`;

/** Reads the examples of the README, and their expected output. */
async function readExamples() {
  const text = await readFile(path.join(sdkFolder, 'README.md'), 'utf8');
  const blocks = text.matchAll(/^```ts\n(.*?)^```\n(?:```text\n(.*?)^```)?/gms);
  return [...blocks].map(([, source, shown]) => ({ source: source!, shown }));
}

/** Declares the tests for the SDK after it is installed in an empty folder. */
export async function declareSdkGuarantees(
  install: (file: string, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-sdk-'));
  after(() => removeFolder(folder));
  await install(await packSdk(folder), folder);
  const sdk = (await import(path.join(folder, 'node_modules', 'postil-sdk', 'dist', 'index.js'))) as Sdk;
  const app = await startTestApp();
  await app.platform(samplePlatform());
  // Self-hosted, because some endpoints are only for such organizations.
  const bound = { org_id: '2001', instance: 'ghe' };
  const apiKey = await app.createKey({ ...sampleKeys.organization, ...bound });
  const examples = await readExamples();
  assert.equal(examples.length, 4);
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  for (const [index, { source }] of examples.entries())
    await writeFile(path.join(folder, exampleFile(index)), source);
  const baseUrl = await app.app.server.listen({ host: '127.0.0.1', port: 0 });

  /** Lists every GET of the running server, with values for parameters. */
  async function describeGets(client: ReturnType<Sdk['createClient']>) {
    const [organization] = sdk.unwrap(await client.GET('/v1/organizations')).organizations;
    const values: Record<string, string> = {
      organization_id: organization!.id,
      workspace: 'acme',
      start_date: '2026-06-01',
      end_date: '2026-06-02',
    };
    const { paths } = sdk.unwrap(await client.GET('/openapi.json')) as unknown as Described;
    const gets = Object.entries(paths).flatMap(([address, { get }]) =>
      get === undefined ? [] : [{ address, responses: get.responses, parameters: get.parameters ?? [] }],
    );
    return { values, gets };
  }

  test('every GET of a running server can be called', async () => {
    const client = sdk.createClient({ baseUrl, apiKey, operatorToken });
    const workspaceToken = await app.createKey(sampleKeys.workspace);
    const ofWorkspace = sdk.createClient({ baseUrl, apiKey: workspaceToken });
    type Get = (address: string, init: object) => Promise<{ response: Response; error?: unknown }>;
    const { values, gets } = await describeGets(client);
    assert.ok(gets.length > 30);
    for (const { address, parameters, responses } of gets) {
      const params = requiredOf(parameters, values);
      const isUnknown = JSON.stringify(params).includes(notThere);
      const isText = responses[200]?.content?.['application/json'] === undefined;
      const get = (address.startsWith('/scim/') ? ofWorkspace : client).GET as Get;
      const { response, error } = await get(address, { params, ...(isText && { parseAs: 'text' }) });
      assert.equal(response.status, isUnknown ? 404 : 200, `${address}: ${JSON.stringify(error)}`);
    }
    await app.resetLimits();
  });

  test('every list with pages can be read entry by entry', async () => {
    const ofWorkspace = sdk.createClient({ baseUrl, apiKey: await app.createKey(sampleKeys.workspace) });
    const users = ['one@acme.test', 'two@acme.test', 'three@acme.test'];
    const inAcme = { params: { path: { workspace: 'acme' } } };
    for (const userName of users)
      sdk.unwrap(await ofWorkspace.POST('/scim/v2/{workspace}/Users', { ...inAcme, body: { userName } }));
    const found: string[] = [];
    const twoAtATime = { path: { workspace: 'acme' }, query: { count: 2 } };
    for await (const user of sdk.paginate(ofWorkspace, '/scim/v2/{workspace}/Users', twoAtATime))
      found.push(user.userName);
    assert.deepEqual(found, users);

    const client = sdk.createClient({ baseUrl, apiKey, operatorToken });
    const { values, gets } = await describeGets(client);
    const paged = gets.filter(({ parameters }) =>
      parameters.some(({ name }) => ['cursor', 'page', 'startIndex'].includes(name)),
    );
    assert.ok(paged.length > 15);
    for (const { address, parameters } of paged) {
      const params = requiredOf(parameters, values);
      const reader = address.startsWith('/scim/') ? ofWorkspace : client;
      const first = sdk.paginate(reader, address as '/v1/reviews', params).next();
      if (JSON.stringify(params).includes(notThere)) await assert.rejects(first, { status: 404 }, address);
      else assert.notEqual((await first).done, undefined, address);
    }
    await app.resetLimits();
  });

  test('a list is read page by page, by cursor and by number, and only as far as it is consumed', async () => {
    let requests = 0;
    const client = sdk.createClient({
      baseUrl,
      apiKey,
      operatorToken,
      fetch: (request) => {
        requests += 1;
        return fetch(request);
      },
    });
    const keys = [];
    for await (const key of sdk.paginate(client, '/operator/v1/keys', { query: { limit: 1 } }))
      keys.push(key.id);
    assert.ok(keys.length > 0 && new Set(keys).size === keys.length);
    const entries = [];
    for await (const { id } of sdk.paginate(client, '/v1/audit-logs', { query: { page_size: 1 } })) {
      entries.push(id);
      if (entries.length === 3) break;
    }
    assert.equal(new Set(entries).size, 3);
    assert.equal(requests, keys.length + 3);
    const stranger = sdk.createClient({ baseUrl, apiKey: 'not-a-key' });
    await assert.rejects(sdk.paginate(stranger, '/v1/reviews').next(), {
      name: 'PostilError',
      status: 401,
      code: 'UNAUTHORIZED',
    });
  });

  test('a request is retried after Retry-After, with its body, a few times, and only if it is idempotent or had no effect', async () => {
    const seen: string[] = [];
    let refusals = 0;
    let status = 429;
    let wait = '0';
    const busy = await listen(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      seen.push(`${request.method} ${body}`);
      refusals -= 1;
      response.writeHead(refusals >= 0 ? status : 200, {
        'content-type': 'application/json',
        ...(wait !== '' && { 'retry-after': wait }),
      });
      response.end('{}');
    });
    const client = sdk.createClient({ baseUrl: busy, apiKey });
    const attempt = async (given: { refusals: number; status?: number; wait?: string }, isPost = false) => {
      ({ refusals, status = 429, wait = '0' } = given);
      seen.length = 0;
      const { response } = isPost
        ? await client.POST('/v1/reviews', { body: { repository_id: '501', diff: 'x' } })
        : await client.GET('/v1/me');
      return [response.status, seen.length];
    };
    assert.deepEqual(await attempt({ refusals: 2 }, true), [200, 3]);
    assert.equal(new Set(seen).size, 1, 'the body is sent each time');
    assert.deepEqual(await attempt({ refusals: 99 }), [429, 4]);
    assert.deepEqual(await attempt({ refusals: 1, status: 503 }), [200, 2]);
    assert.deepEqual(await attempt({ refusals: 1, status: 503 }, true), [503, 1]);
    assert.deepEqual(await attempt({ refusals: 1, wait: '61' }), [429, 1]);
    assert.deepEqual(await attempt({ refusals: 1, wait: '' }), [429, 1]);
    assert.deepEqual(await attempt({ refusals: 1, wait: new Date(0).toUTCString() }), [200, 2]);
    assert.deepEqual(await attempt({ refusals: 1, status: 500 }), [500, 1]);

    refusals = 1;
    status = 429;
    wait = '59';
    const signal = AbortSignal.timeout(50);
    await assert.rejects(client.GET('/v1/me', { signal }), { name: 'TimeoutError' });
  });

  test('a client without the address of the server is refused at once', () => {
    const options = { apiKey } as Parameters<Sdk['createClient']>[0];
    assert.throws(() => sdk.createClient(options), { name: 'TypeError', message: /^baseUrl is required/ });
  });

  test('a key goes only to the API, the operator token only to the operator', async () => {
    const seen: unknown[] = [];
    const echo = await listen((request, response) => {
      seen.push([request.headers['x-service-api-key'], request.headers.authorization]);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    const client = sdk.createClient({ baseUrl: echo, apiKey: 'key', operatorToken: 'token' });
    await client.GET('/v1/me');
    await client.GET('/operator/v1/platform');
    assert.deepEqual(seen, [
      ['key', undefined],
      [undefined, 'Bearer token'],
    ]);
  });

  test('the examples of the README print what it shows, and their types are right', async () => {
    for (const [index, { shown }] of examples.entries()) {
      if (shown === undefined) continue;
      const { stdout } = await run(process.execPath, [path.join(folder, exampleFile(index))], {
        env: { POSTIL_URL: baseUrl, POSTIL_KEY: apiKey },
      });
      assertShown('text', shown.trimEnd(), stdout.trimEnd());
    }
    const compiler = path.join(sdkFolder, '../../node_modules/typescript/bin/tsc');
    const types = path.join(sdkFolder, '../../node_modules/@types');
    const files = examples.map((_, index) => exampleFile(index));
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    await run(process.execPath, [compiler, ...options, '--types', 'node', '--typeRoots', types, ...files], {
      cwd: folder,
    }).catch((error: { stdout: string }) => assert.fail(error.stdout));
  });

  test('the receiver of the README accepts what Postil signs, and nothing else', async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const receiver = `process.env.WEBHOOK_SECRET = '${secret}';
const { receive } = await import('./${exampleFile(3)}');
const requests = JSON.parse(process.argv[2]);
for (const init of requests) console.log((await receive(new Request('http://here.test', init))).status);`;
    await writeFile(path.join(folder, 'receiver.mjs'), receiver);
    const body = JSON.stringify({ specversion: '1.0', id: 'e1', type: 'postil.review.finished', data: {} });
    const signed = (at: Date) => ({
      'webhook-id': 'e1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('e1', at, body),
    });
    const now = signed(new Date());
    const requests = [
      { method: 'POST', headers: now, body },
      { method: 'POST', headers: now, body: `${body} ` },
      { method: 'POST', headers: signed(new Date(Date.now() - 3_600_000)), body },
      { method: 'POST', headers: {}, body },
    ];
    const { stdout } = await run(
      process.execPath,
      [path.join(folder, 'receiver.mjs'), JSON.stringify(requests)],
      { cwd: folder },
    );
    assert.equal(stdout, 'postil.review.finished e1\n204\n401\n401\n401\n');
  });
}
