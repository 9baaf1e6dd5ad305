import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { parseKeys } from '../../src/secrets/key-ring.ts';
import { Vault } from '../../src/secrets/vault.ts';
import { type Answer, operatorToken, startTestApp, type TestApp } from '../harness.ts';
import { startDouble } from '../hosts/connected-host.ts';
import { fillForge } from '../hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../hosts/gitea/gitea-double.ts';
import { sampleKeys } from '../sample-platform.ts';
import type { Answers, Step } from './step.ts';

/** A key of an organization on a self-hosted instance. */
const selfHosted = { ...sampleKeys.organization, org_id: '2001', instance: 'ghe' };
/** A fixed key, because the answer of a key rotation contains its id. */
const sealingKeys = parseKeys(Buffer.alloc(32, 1).toString('base64'))!;

/** The request of a step, as its caller sends it. */
export interface StepRequest {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
  /** The headers that do not depend on the body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A fresh server for the steps of the scenario. */
export interface ScenarioServer {
  readonly app: TestApp;
  readonly hostUrl: string;
  /** The answers of the previous steps. */
  readonly answers: Answers;
  requestOf(step: Step): Promise<StepRequest>;
  /** Sends the request of the step, and stores the answer, which must be a success. */
  take(step: Step, request: StepRequest): Promise<Answer>;
}

export async function startScenarioServer(): Promise<ScenarioServer> {
  const app = await startTestApp({ vault: new Vault({ keys: sealingKeys, origin: 'environment' }) });
  const host = await startDouble(new GiteaDouble());
  fillForge(host);
  const inApi = app.app.endpoints.filter(({ path }) => !path.startsWith('/dashboard/'));
  const endpoints = new Map(inApi.map((endpoint) => [endpoint.operationId, endpoint]));
  const keys = new Map<string, string>();
  const answers: Answers = {};

  async function keyOf(as: Step['as']): Promise<string> {
    if (as === undefined) return operatorToken;
    if (as === 'source') return answers.addSource.value;
    const known = keys.get(as) ?? (await app.createKey(as === 'selfHosted' ? selfHosted : sampleKeys[as]));
    keys.set(as, known);
    return known;
  }

  /** Runs the workers and repeats the request until the requested work is done. */
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

  return {
    app,
    hostUrl: host.url,
    answers,
    async requestOf({ operation, as, path, query = '', body: bodyOf }) {
      const endpoint = endpoints.get(operation);
      assert.ok(endpoint, `there is no operation ${operation}`);
      const body = bodyOf?.(answers);
      const key = await keyOf(as);
      const isBearer = as === undefined || as === 'workspace';
      const type = [...(endpoint.bodyTypes ?? []), ...(endpoint.streams ?? []), 'application/json'][0]!;
      const headers: Record<string, string> = isBearer
        ? { authorization: `Bearer ${key}` }
        : { 'x-service-api-key': key };
      if (body !== undefined) headers['content-type'] = type;
      return { endpoint, params: path?.(answers) ?? {}, query, headers, body };
    },
    async take({ operation, headers, until }, request) {
      const { endpoint, params, query, body } = request;
      const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => params[name]!);
      const send = () =>
        app.call(endpoint.method, query === '' ? path : `${path}?${query}`, {
          body,
          headers: { ...request.headers, ...headers?.(body) },
        });
      const answer = until === undefined ? await send() : await repeat(send, until);
      assert.ok(answer.status < 300, `${operation}: ${answer.text}`);
      answers[operation] = answer.json;
      return answer;
    },
  };
}
