import assert from 'node:assert/strict';
import { pathMatcher } from '../../src/http/path-templates.ts';
import type { Answer, TestApp } from '../harness.ts';
import type { HostileRequest } from './mutations.ts';
import type { Sample } from './samples.ts';

/** The time after which a request counts as stuck. */
const maxMs = 120_000;
const maxShown = 2_000;
/** The statuses of requests that are rejected by HTTP before an operation is known. */
const refusedByHttp = [417, 431];

export interface Sent {
  readonly accepted: number;
  /** The number of accepted requests that changed something. */
  readonly effective: number;
  readonly refused: number;
  /** The slowest requests, the slowest first. */
  readonly slowest: readonly { readonly ms: number; readonly what: string }[];
}

/** Sends requests to the server, one after the other, and checks what must hold for every answer. */
export class HostileClient {
  readonly #app: TestApp;
  readonly #writesSince: () => Promise<string[]>;
  readonly #slowest: { ms: number; what: string }[] = [];
  #accepted = 0;
  #effective = 0;
  #refused = 0;

  constructor(app: TestApp, writesSince: () => Promise<string[]>) {
    this.#app = app;
    this.#writesSince = writesSince;
  }

  get sent(): Sent {
    return {
      accepted: this.#accepted,
      effective: this.#effective,
      refused: this.#refused,
      slowest: this.#slowest,
    };
  }

  async send(sample: Sample, request: HostileRequest, place: string): Promise<void> {
    const { name, endpoint, signed } = sample;
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => request.params[name]!);
    const url = request.query.length === 0 ? path : `${path}?${request.query.join('&')}`;
    const body = textOf(request.body);
    const headers = { ...request.headers, ...(body !== undefined && signed?.(body)) };
    const what = `${name} (${place})\n${endpoint.method} ${shortened(url)}\n${shortened(JSON.stringify(headers))}\n${shortened(String(body))}`;
    const started = performance.now();
    const call = () => inTime(this.#app.call(endpoint.method, url, { body, headers }), what);
    let answer = await call();
    this.#note(performance.now() - started, what);
    if (answer.json?.error?.code === 'METRICS_PREPARING') {
      await this.#moveMetrics();
      answer = await call();
    }
    const { status } = answer;
    assert.ok(status < 500, `${what}\nanswered ${status}: ${answer.text}\n${this.#app.logLines.at(-2)}`);
    // An internal error reported in another protocol, or for one of several items.
    if (endpoint.method !== 'GET') assert.doesNotMatch(answer.text, /INTERNAL_ERROR|-32603/, what);
    assert.ok(
      isDeclared(sample, path, status),
      `${what}\nanswered ${status}, which is not declared: ${shortened(answer.text)}`,
    );
    const written = await this.#writesSince();
    if (status < 400) {
      this.#accepted += 1;
      this.#effective += Number(written.length > 0);
    } else {
      this.#refused += 1;
      assert.deepEqual(
        written,
        [],
        `${what}\nwas refused with ${answer.text}, and yet something was written`,
      );
    }
    this.#app.logLines.length = 0;
  }

  /** Runs the schedule that moves metrics after a change of settings, since schedules do not run by themselves in tests. */
  async #moveMetrics(): Promise<void> {
    const schedule = this.#app.app.schedules.find(({ name }) => name === 'move-metrics');
    await schedule!.run(new AbortController().signal);
    await this.#writesSince();
  }

  #note(ms: number, what: string): void {
    if (ms < (this.#slowest.at(-1)?.ms ?? 0) && this.#slowest.length >= 5) return;
    this.#slowest.push({ ms, what });
    this.#slowest.sort((a, b) => b.ms - a.ms).splice(5);
  }
}

/** Whether the API description lists the status; the dashboard's own endpoints are not in it. */
function isDeclared({ endpoint, described }: Sample, path: string, status: number): boolean {
  if (endpoint.path.startsWith('/dashboard/') || refusedByHttp.includes(status)) return true;
  // With a hostile value, the path can match another endpoint, or none.
  if ([404, 405].includes(status) && !pathMatcher(endpoint.path).test(path)) return true;
  return String(status) in described.responses;
}

function textOf(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return JSON.stringify(body);
}

function shortened(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}… (${text.length} characters)`;
}

async function inTime(answer: Promise<Answer>, what: string): Promise<Answer> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what}\nwas not answered in ${maxMs} ms`)), maxMs);
  try {
    return await Promise.race([answer, tooLate]);
  } catch (error) {
    throw new Error(`${what}\n${(error as Error).message}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
