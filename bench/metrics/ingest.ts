import http from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../../src/db/database.ts';
import { eventLine } from './data-set.ts';
import { postAll } from './load.ts';
import { operatorToken } from './server-process.ts';

const authorization = `Bearer ${operatorToken}`;

async function post(url: URL, lines: Buffer): Promise<{ accepted: number }> {
  const headers = {
    authorization,
    'content-type': 'application/x-ndjson',
    'content-length': lines.length,
  };
  const request = http.request(url, { method: 'POST', headers });
  const answer = new Promise<string>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', async (response) => resolve(Buffer.concat(await response.toArray()).toString()));
  });
  request.end(lines);
  return JSON.parse(await answer);
}

const eventsUrl = (serverUrl: string) => new URL('/operator/v1/events', serverUrl);

let nextSerial = 0;

/** Sends new events as one stream over HTTP and returns how many were accepted per second. */
export async function measureIngest(serverUrl: string, count: number): Promise<number> {
  const lines = Buffer.concat(Array.from({ length: count }, () => Buffer.from(eventLine(nextSerial++))));
  const begin = performance.now();
  const { accepted } = await post(eventsUrl(serverUrl), lines);
  const seconds = (performance.now() - begin) / 1000;
  if (accepted !== count) throw new Error(`only ${accepted} of ${count} events were accepted`);
  return count / seconds;
}

/**
 * Sends new events one by one over several connections at once, and returns how many were durably stored per second, after a
 * warm-up.
 */
export async function measureSingleEvents(
  serverUrl: string,
  count: number,
  connections: number,
): Promise<number> {
  const headers = { authorization, 'content-type': 'application/cloudevents+json' };
  const send = (size: number) => {
    const bodies = Array.from({ length: size }, () => eventLine(nextSerial++));
    return postAll(eventsUrl(serverUrl), headers, bodies, connections);
  };
  await send(Math.ceil(count / 4));
  return send(count);
}

/**
 * Copies the rows that the events created into another table. Without indexes this is the fastest that PostgreSQL can store
 * these bytes; with indexes it is the fastest way to store them so that they can be queried.
 */
export async function measureCopy(
  { sql, transaction }: Database,
  count: number,
  { withIndexes = false } = {},
): Promise<number> {
  const including = sql.unsafe(withIndexes ? 'INCLUDING INDEXES' : '');
  await sql`DROP TABLE IF EXISTS bench_copy`;
  await sql`CREATE TABLE bench_copy (LIKE review_metrics ${including})`;
  const rows = await sql`
    COPY (SELECT m.* FROM review_metrics m JOIN organizations o ON o.id = m.organization_id
      WHERE m.storage_id = 0 AND o.name LIKE 'ingest-%' LIMIT ${sql.unsafe(String(count))}) TO STDOUT`.readable();
  const bytes = Buffer.concat(await rows.toArray());
  const begin = performance.now();
  await transaction(async (tx) => {
    await pipeline(Readable.from([bytes]), await tx`COPY bench_copy FROM STDIN`.writable());
  });
  const seconds = (performance.now() - begin) / 1000;
  await sql`DROP TABLE bench_copy`;
  return count / seconds;
}
