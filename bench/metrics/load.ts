import http from 'node:http';
import net from 'node:net';

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** Requests one response over a connection that stays open; returns its size and throws if it is not 200. */
export function getOnce(url: string, key: string): Promise<{ bytes: number; body: () => string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers: { 'x-service-api-key': key } }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
      });
      response.on('error', reject);
      response.on('end', () => {
        const body = () => Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve({ bytes, body });
        else reject(new Error(`${url}: ${response.statusCode} ${body()}`));
      });
    });
    request.on('error', reject);
  });
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

/** Repeats the work for a number of seconds, after a warm-up; returns the median in milliseconds. */
export async function medianMs(seconds: number, work: () => Promise<unknown>): Promise<number> {
  for (let round = 0; round < 15; round++) await work();
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  do {
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  } while (performance.now() < end);
  return median(times);
}

export const callers = 4;
const largestHead = 4096;

/** The size of the response that starts with these bytes; throws if it is not 200. */
function sizeOf(begin: Buffer): number {
  const head = begin.toString('latin1', 0, Math.min(begin.length, largestHead));
  const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(head) ?? [];
  if (!head.startsWith('HTTP/1.1 200 ') || length === undefined) throw new Error(`unexpected: ${head}`);
  return head.indexOf('\r\n\r\n') + 4 + Number(length);
}

interface Load {
  answers: number;
  bytes: number;
  /** Whether enough requests were sent. */
  isOver(): boolean;
}

/**
 * Sends requests over one connection until the load is over. Responses are counted, not parsed: the client shares the
 * processors with the measured server, and should use as little of them as pgbench does.
 */
function call(url: URL, nextRequest: () => string, into: Buffer, load: Load): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let missing = 0;
  const socket: net.Socket = net.connect({
    host: url.hostname,
    port: Number(url.port),
    onread: {
      buffer: into,
      callback(bytes) {
        try {
          if (missing === 0) missing = sizeOf(into.subarray(0, bytes));
        } catch (error) {
          reject(error);
          return false;
        }
        missing -= bytes;
        load.bytes += bytes;
        if (missing > 0) return true;
        load.answers += 1;
        if (load.isOver()) socket.end(resolve);
        else socket.write(nextRequest());
        return true;
      },
    },
  });
  socket.on('error', reject);
  socket.write(nextRequest());
  return promise;
}

/** Sends requests over several connections, one at a time on each, until the load is over. */
async function callAtOnce(url: URL, requestOf: readonly (() => string)[], load: Load): Promise<void> {
  const into = Buffer.allocUnsafeSlow(256 * 1024);
  await Promise.all(requestOf.map((nextRequest) => call(url, nextRequest, into, load)));
}

/** Posts these bodies over several connections at once; returns how many were accepted with 200 per second. */
export async function postAll(
  url: URL,
  headers: Readonly<Record<string, string>>,
  bodies: readonly string[],
  connections: number,
): Promise<number> {
  const fields = Object.entries({ host: url.host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `POST ${url.pathname} HTTP/1.1\r\n${fields.join('')}content-length: `;
  let sent = 0;
  const nextBody = () => {
    const body = bodies[sent++]!;
    return `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`;
  };
  const load: Load = { answers: 0, bytes: 0, isOver: () => sent >= bodies.length };
  const begin = performance.now();
  await callAtOnce(
    url,
    Array.from({ length: connections }, () => nextBody),
    load,
  );
  if (load.answers !== bodies.length)
    throw new Error(`only ${load.answers} of ${bodies.length} were answered`);
  return load.answers / ((performance.now() - begin) / 1000);
}

/** The number of connections, and the keys that they use in turn. */
export interface Callers {
  readonly keys: readonly string[];
  readonly connections: number;
}

function getAtOnce(address: string, { keys, connections }: Callers, load: Load): Promise<void> {
  const url = new URL(address);
  const requestOf = Array.from({ length: connections }, (_, index) => {
    const key = keys[index % keys.length]!;
    const request = `GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nx-service-api-key: ${key}\r\n\r\n`;
    return () => request;
  });
  return callAtOnce(url, requestOf, load);
}

/** Warms up a server until its code is compiled: with the same number of requests for each, rather than for the same time. */
export async function warmUp(url: string, key: string, requests: number): Promise<void> {
  const load: Load = { answers: 0, bytes: 0, isOver: () => load.answers >= requests };
  await getAtOnce(url, { keys: [key], connections: callers }, load);
}

/** The throughput over several connections at once: responses and megabytes per second. */
export async function throughput(url: string, key: string | Callers, seconds: number) {
  const begin = performance.now();
  const end = begin + seconds * 1000;
  const load: Load = { answers: 0, bytes: 0, isOver: () => performance.now() >= end };
  await getAtOnce(url, typeof key === 'string' ? { keys: [key], connections: callers } : key, load);
  const took = (performance.now() - begin) / 1000;
  return { answers: load.answers, perSecond: load.answers / took, megabytes: load.bytes / 1e6 / took };
}

/** The results of measuring in turns: the median of each subject, and of the ratio of one to another. */
export interface Turns<Name extends string> {
  readonly medians: Record<Name, number>;
  ratio(of: Name, to: Name): number;
}

/**
 * Measures several subjects in turns, so that changes in the machine's speed affect all of them. A ratio is the median of the
 * ratios within each turn. A first turn fills the caches and does not count.
 */
export async function inTurns<Name extends string>(
  measures: Record<Name, () => Promise<number>>,
  turns = 15,
): Promise<Turns<Name>> {
  const names = Object.keys(measures) as Name[];
  const measured: Record<Name, number>[] = [];
  for (let turn = 0; turn <= turns; turn++) {
    const values = {} as Record<Name, number>;
    for (const name of names) values[name] = await measures[name]();
    if (turn > 0) measured.push(values);
  }
  const medianOf = (pick: (values: Record<Name, number>) => number) => median(measured.map(pick));
  return {
    medians: Object.fromEntries(names.map((name) => [name, medianOf((values) => values[name])])) as Record<
      Name,
      number
    >,
    ratio: (of, to) => medianOf((values) => values[of] / values[to]),
  };
}
