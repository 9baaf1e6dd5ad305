/** The complete server without schedules, and with rate limits too high for a benchmark to reach; they are still counted. */
import { createApp } from '../../src/app.ts';
import { createDeterministicEmbedder } from '../../src/capabilities/learnings/embedding/deterministic-embedder.ts';
import { openDatabase } from '../../src/db/database.ts';
import { createLog } from '../../src/lib/log.ts';
import { createTestDeps } from '../../test/test-deps.ts';
import { operatorToken } from '../metrics/server-process.ts';

const target = { url: process.env.DATABASE_URL ?? '' };
const app = await createApp({
  database: openDatabase(target),
  clock: () => new Date(),
  log: createLog('error'),
  embedder: createDeterministicEmbedder(),
  embeddingCacheBytes: 0,
  operatorToken,
  ...createTestDeps(target, () => app.units),
  settings: { metricsPerMinute: 999_999, apiKeyHeaderAliases: [] },
});
for (const endpoint of app.endpoints)
  if (endpoint.audience === 'key') Object.assign(endpoint.limit, { perMinute: 999_999_999 });
process.stdout.write(`ready at ${await app.server.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.once('SIGTERM', () => process.exit(0));
