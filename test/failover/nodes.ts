import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { childEnvironment } from '../child-environment.ts';
import { removeFolder } from '../remove-folder.ts';

const main = path.join(import.meta.dirname, '../../src/main.ts');
const operatorToken = 'the-operator-of-the-failover-test-0123456789';
const secretKey = Buffer.alloc(32, 7).toString('base64');
/** The timeout for an answer, even during a failover; without an answer, the request counts as lost. */
const maxAnswerMs = 30_000;

/** The answer to a request; status 0 if there was none. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: the checks look into it
  readonly json: any;
  readonly text: string;
}

/** A node of Postil in its own process, as in production. */
export interface Node {
  readonly name: string;
  readonly logFile: string;
  call(method: string, at: string, body?: unknown, key?: string): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a node on a database; resolves when it is ready. */
export async function startNode(name: string, settings: Readonly<Record<string, string>>): Promise<Node> {
  const folder = await mkdtemp(path.join(tmpdir(), `postil-${name}-`));
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: {
      ...childEnvironment,
      POSTIL_PORT: '0',
      POSTIL_DATA_DIR: folder,
      POSTIL_LOG_LEVEL: 'warn',
      POSTIL_OPERATOR_TOKEN: operatorToken,
      POSTIL_SECRET_KEY: secretKey,
      POSTIL_METRICS_PER_MINUTE: '100000',
      POSTIL_WEBHOOK_ALLOW: '127.0.0.1',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const logFile = path.join(tmpdir(), `postil-failover-${name}.log`);
  const log = createWriteStream(logFile);
  for (const output of [child.stdout!, child.stderr!]) output.pipe(log, { end: false });
  const lines = createInterface({ input: child.stdout! });
  const ready = Promise.withResolvers<string>();
  lines.on('line', (line) => {
    const [, found] = /ready at (http:\S+)/.exec(line) ?? [];
    if (found !== undefined) ready.resolve(found);
  });
  child.once('exit', () => ready.reject(new Error(`node ${name} ended; its log is ${logFile}`)));
  const address = await ready.promise;
  return {
    name,
    logFile,
    async call(method, at, body, key) {
      const given =
        key === undefined ? { authorization: `Bearer ${operatorToken}` } : { 'x-service-api-key': key };
      try {
        const answer = await fetch(address + at, {
          method,
          headers: { ...given, 'content-type': 'application/json' },
          signal: AbortSignal.timeout(maxAnswerMs),
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        const json = text === '' ? undefined : JSON.parse(text);
        return { status: answer.status, retryAfter: answer.headers.get('retry-after'), json, text };
      } catch (error) {
        return {
          status: 0,
          retryAfter: null,
          json: undefined,
          text: String((error as Error).cause ?? error),
        };
      }
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await removeFolder(folder);
    },
  };
}
