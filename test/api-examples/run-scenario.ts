import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiExample, ApiExamples } from '../../src/http/openapi/examples.ts';
import { parseKeys } from '../../src/secrets/key-ring.ts';
import { Vault } from '../../src/secrets/vault.ts';
import { type Answer, operatorToken, startTestApp } from '../harness.ts';
import { startDouble } from '../hosts/connected-host.ts';
import { fillForge } from '../hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../hosts/gitea/gitea-double.ts';
import { sampleKeys } from '../sample-platform.ts';
import { scenario } from './scenario.ts';
import type { Answers, Step } from './step.ts';

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Keys, secrets, tokens and cursors: long, and different in every run. */
const random = /\b(?<kind>[a-z]+_)?(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{30,}/g;
const webhookSecret = /whsec_[A-Za-z0-9+/=]+/g;
/** How well a search result fits, which depends on how results are ranked. */
const ranks = new Set(['score', 'meaning', 'words']);
/** Of an organization on an instance of its own. */
const selfHosted = { ...sampleKeys.organization, org_id: '2001', instance: 'ghe' };
/** Its id is shown by a rotation. */
const sealingKeys = parseKeys(Buffer.alloc(32, 1).toString('base64'))!;
const exampleUuid = /^00000000-0000-7000-8000-\d{12}$/;

/** Replaces what differs from run to run by values that look alike, the same one everywhere by the same. */
function steady(hostUrl: string) {
  const uuids = new Map<string, string>();
  const steadyUuid = (found: string) => {
    const known = uuids.get(found) ?? `00000000-0000-7000-8000-${String(uuids.size + 1).padStart(12, '0')}`;
    uuids.set(found, known);
    return known;
  };
  const text = (given: string) =>
    given
      .replaceAll(hostUrl, 'https://git.acme.test')
      .replaceAll(webhookSecret, 'whsec_ZXhhbXBsZQ==')
      .replaceAll(uuid, steadyUuid)
      .replaceAll(random, (found, kind: string | undefined) =>
        exampleUuid.test(found) ? found : `${kind ?? ''}example`,
      );
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return given.startsWith('diff --git') ? given : text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== 'object' || given === null) return given;
    // Readers of an API description follow `$ref` wherever it stands, also in the SCIM references of an example.
    const entries = Object.entries(given).filter(([name]) => name !== '$ref');
    return Object.fromEntries(entries.map(([name, inner]) => [name, ranks.has(name) ? 0.5 : value(inner)]));
  };
  return value;
}

/** Sends every request of the scenario to a fresh server; gives each with its answer. */
export async function runScenario(): Promise<ApiExamples> {
  const app = await startTestApp({ vault: new Vault({ keys: sealingKeys, origin: 'environment' }) });
  const host = await startDouble(new GiteaDouble());
  fillForge(host);
  const example = steady(host.url);
  const inApi = app.app.endpoints.filter(({ path }) => !path.startsWith('/dashboard/'));
  const endpoints = new Map(inApi.map((endpoint) => [endpoint.operationId, endpoint]));
  const keys = new Map<string, string>();
  const answers: Answers = {};
  const examples: Record<string, ApiExample> = {};

  async function keyOf(as: Step['as']): Promise<string> {
    if (as === undefined) return operatorToken;
    if (as === 'source') return answers.addSource.value;
    const known = keys.get(as) ?? (await app.createKey(as === 'selfHosted' ? selfHosted : sampleKeys[as]));
    keys.set(as, known);
    return known;
  }
  async function take(
    { operation, as, path: pathOf, query, headers, until }: Step,
    body: unknown,
  ): Promise<Answer> {
    const endpoint = endpoints.get(operation);
    assert.ok(endpoint, `there is no operation ${operation}`);
    const parameters = pathOf?.(answers) ?? {};
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => parameters[name]!);
    const key = await keyOf(as);
    const isBearer = as === undefined || as === 'workspace';
    const type = [...(endpoint.bodyTypes ?? []), ...(endpoint.streams ?? []), 'application/json'][0]!;
    const send = () =>
      app.call(endpoint.method, query === undefined ? path : `${path}?${query}`, {
        body,
        headers: {
          ...(isBearer ? { authorization: `Bearer ${key}` } : { 'x-service-api-key': key }),
          ...(body !== undefined && { 'content-type': type }),
          ...headers?.(body),
        },
      });
    return until === undefined ? send() : repeat(send, until);
  }
  /** Lets the server do its work until what was asked for is done. */
  async function repeat(send: () => Promise<Answer>, isDone: NonNullable<Step['until']>): Promise<Answer> {
    await app.queue.startWorkers();
    const deadline = Date.now() + 300_000;
    for (;;) {
      await app.resetLimits();
      const answer = await send();
      if (isDone(answer.json)) {
        await app.queue.stop();
        return answer;
      }
      assert.ok(Date.now() < deadline, answer.text);
      await sleep(100);
    }
  }

  for (const step of scenario(host.url)) {
    const body = step.body?.(answers);
    const answer = await take(step, body);
    assert.ok(answer.status < 300, `${step.operation}: ${answer.text}`);
    answers[step.operation] = answer.json;
    const response = answer.json ?? (answer.text === '' ? undefined : answer.text);
    examples[step.operation] = {
      ...(body !== undefined && { request: example(body) }),
      status: answer.status,
      ...(response !== undefined && { response: example(response) }),
    };
  }
  return examples;
}
