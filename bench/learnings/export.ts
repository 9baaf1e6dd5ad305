import { createDeterministicEmbedder } from '../../src/capabilities/learnings/embedding/deterministic-embedder.ts';
import type { Sql } from '../../src/db/database.ts';
import { repositoryId, type StartApp } from './bench-app.ts';
import { fill } from './data-set.ts';
import { print } from './report.ts';

/** Reads 100,000 Learnings page by page. */
export async function benchExport(start: StartApp, sql: Sql): Promise<void> {
  const app = await start(createDeterministicEmbedder());
  const count = 100_000;
  await fill(sql, 'export', count, null);
  const before = process.memoryUsage().rss;
  let peak = before;
  let bytes = 0;
  let rows = 0;
  let cursor = '';
  const begin = performance.now();
  for (let page = 1; ; page += 1) {
    if (page % 50 === 0) await sql`TRUNCATE rate_limit_windows`;
    const { text, json } = await app.send(
      'GET',
      `/v1/learnings?repository_ids=${repositoryId('export')}&limit=1000${cursor}`,
    );
    bytes += Buffer.byteLength(text);
    rows += json.data.length;
    peak = Math.max(peak, process.memoryUsage().rss);
    if (json.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(json.next_cursor)}`;
  }
  const seconds = (performance.now() - begin) / 1000;
  const speed = `${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s (${(bytes / 1e6 / seconds).toFixed(0)} MB/s)`;
  print(
    `export of ${rows} Learnings: ${speed}, memory grew by at most ${((peak - before) / 1e6).toFixed(0)} MB`,
  );
  await app.close();
}
