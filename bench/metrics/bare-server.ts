/**
 * The baseline of the benchmarks, on node:http alone but with the same checks: an empty page of MCP usage, to measure the
 * overhead of the framework and the pipeline, and at /plain a page of comments read the plain way.
 */
import http from 'node:http';
import { createKeyAuthenticator, type KeyCharge } from '../../src/access/authenticate.ts';
import type { CallerContext } from '../../src/access/caller-context.ts';
import { authorize, onlyOrganization, resolveScope } from '../../src/access/org-scope.ts';
import { createRateLimiter } from '../../src/access/rate-limit.ts';
import { mcpUsageList } from '../../src/capabilities/review-metrics/lists/list-definitions.ts';
import { createMetricsDeps, readMetrics } from '../../src/capabilities/review-metrics/lists/read-metrics.ts';
import { openDatabase } from '../../src/db/database.ts';
import { plainPage } from './plain-way.ts';

const database = openDatabase({ url: process.env.DATABASE_URL ?? '' });
const deps = createMetricsDeps(database);
const access = {
  organization: 'own',
  user: 'own',
  workspace: 'all_or_one',
  instance: 'all_or_selected',
  legacy: 'own',
  agentic: 'forbidden',
} as const;
const keys = createKeyAuthenticator(database.sql, createRateLimiter(database.sql));
const charge: KeyCharge = {
  limit: { bucket: 'bare', perMinute: 999_999, per: 'key' },
  kinds: ['organization'],
};

interface Answer {
  readonly bytes: Buffer;
  readonly onSent?: () => void;
}

async function answer(request: http.IncomingMessage): Promise<Answer> {
  const value = String(request.headers['x-service-api-key']);
  const { principal } = await keys.authenticate(value, new Date(), charge);
  const scope = authorize(await resolveScope(database.sql, principal, access, {}), {
    plan: 'enterprise',
    right: 'none',
  });
  const { pathname, searchParams: parameters } = new URL(request.url!, 'http://bare');
  const query = { start_date: parameters.get('start_date')!, end_date: parameters.get('end_date')! };
  if (pathname === '/plain') {
    const { organization } = onlyOrganization(scope);
    const bytes = await plainPage(database.sql, organization.id, {
      start: query.start_date,
      end: query.end_date,
    });
    return { bytes };
  }
  const question = {
    startDate: query.start_date,
    endDate: query.end_date,
    repositoryIds: undefined,
    authorIds: undefined,
  };
  const limits = { after: undefined, limit: 1000 };
  const { entries } = await readMetrics(deps, { scope } as CallerContext, mcpUsageList, question, limits);
  const { bytes, release } = entries.finish(null);
  return { bytes, onSent: release };
}

const server = http.createServer(async (request, response) => {
  const { bytes, onSent = () => {} } = await answer(request);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.once('finish', onSent).end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
