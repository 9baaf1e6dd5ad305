import http from 'node:http';
import autocannon from 'autocannon';

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** Gets one answer over the one connection that stays open; gives its size and throws if it is not 200. */
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

/** Runs the work again and again for some seconds, after some rounds to warm up; gives the median in milliseconds. */
export async function medianMs(seconds: number, work: () => Promise<unknown>): Promise<number> {
  for (let round = 0; round < 15; round++) await work();
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  do {
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  } while (performance.now() < end);
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}

export const callers = 4;

/** What comes over several connections at once: answers and megabytes a second. */
export async function throughput(url: string, key: string, seconds: number) {
  const run = (duration: number) =>
    autocannon({ url, connections: callers, duration, headers: { 'x-service-api-key': key } });
  await run(3);
  const { requests, throughput: bytes, non2xx, errors } = await run(seconds);
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx + errors} requests failed`);
  return { perSecond: requests.average, megabytes: bytes.average / 1e6 };
}

/** How often a second the work is done by as many callers at once. */
export async function rate(seconds: number, work: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let done = 0;
  const call = async () => {
    for (; performance.now() < end; done++) await work();
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: callers }, call));
  return done / ((performance.now() - begin) / 1000);
}
