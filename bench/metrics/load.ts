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

/** How many answers a second come over ten connections. */
export async function requestsPerSecond(url: string, key: string, seconds: number): Promise<number> {
  const run = (duration: number) =>
    autocannon({ url, connections: 10, duration, headers: { 'x-service-api-key': key } });
  await run(2);
  const { requests, non2xx, errors } = await run(seconds);
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx + errors} requests failed`);
  return requests.average;
}
