/**
 * What a user would write instead of Postil, as well as possible with Fastify, Drizzle and `pg`: all statements are prepared,
 * nothing is logged, and every request looks up its key and counts toward a rate limit in the database. The limit is a counter
 * per fixed window, which is simpler than ours and admits twice as much around the boundary of a window.
 *
 * This file is copied into the folder where its packages were installed, and runs there.
 */
import { createHash } from 'node:crypto';
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { bigint, boolean, customType, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import fastify from 'fastify';
import pg from 'pg';

const bytea = customType({ dataType: () => 'bytea' });
const keys = pgTable('api_keys', {
  id: uuid().primaryKey(),
  valueHash: bytea('value_hash'),
  organizationId: uuid('organization_id'),
  ownerUserId: text('owner_user_id'),
  expiresAt: timestamp('expires_at', { withTimezone: true }),
  revokedAt: timestamp('revoked_at', { withTimezone: true }),
});
const organizations = pgTable('organizations', {
  id: uuid().primaryKey(),
  provider: text(),
  providerOrganizationId: text('provider_organization_id'),
  name: text(),
  active: boolean(),
  plan: text(),
});
const members = pgTable('members', {
  organizationId: uuid('organization_id'),
  providerUserId: text('provider_user_id'),
  role: text(),
  active: boolean(),
});
const limits = pgTable('bench_limits', {
  bucket: text().primaryKey(),
  windowStart: bigint('window_start', { mode: 'number' }),
  count: integer(),
});

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query(
  'CREATE UNLOGGED TABLE IF NOT EXISTS bench_limits (bucket text PRIMARY KEY, window_start bigint NOT NULL, count int NOT NULL) WITH (fillfactor = 50)',
);
const db = drizzle(pool);
const maxPerMinute = 999_999_999;

const findKey = db
  .select({
    id: keys.id,
    organizationId: keys.organizationId,
    plan: organizations.plan,
    role: members.role,
  })
  .from(keys)
  .innerJoin(organizations, eq(organizations.id, keys.organizationId))
  .innerJoin(
    members,
    and(eq(members.organizationId, keys.organizationId), eq(members.providerUserId, keys.ownerUserId)),
  )
  .where(
    and(
      eq(keys.valueHash, sql.placeholder('hash')),
      isNull(keys.revokedAt),
      or(isNull(keys.expiresAt), gt(keys.expiresAt, sql`now()`)),
      eq(organizations.active, true),
      eq(members.active, true),
    ),
  )
  .prepare('find_key');
const thisMinute = sql`extract(epoch FROM date_trunc('minute', clock_timestamp()))::bigint`;
const spend = db
  .insert(limits)
  .values({ bucket: sql.placeholder('bucket'), windowStart: thisMinute, count: 1 })
  .onConflictDoUpdate({
    target: limits.bucket,
    set: {
      count: sql`CASE WHEN ${limits.windowStart} = excluded.window_start THEN ${limits.count} + 1 ELSE 1 END`,
      windowStart: sql`excluded.window_start`,
    },
  })
  .returning({ count: limits.count, windowStart: limits.windowStart })
  .prepare('spend');
const listOrganizations = db
  .select({
    id: organizations.id,
    name: organizations.name,
    provider: organizations.provider,
    provider_organization_id: organizations.providerOrganizationId,
  })
  .from(organizations)
  .where(and(eq(organizations.id, sql.placeholder('id')), eq(organizations.active, true)))
  .orderBy(organizations.name, organizations.id)
  .limit(101)
  .prepare('list_organizations');

const app = fastify();

app.addHook('onRequest', async (request, reply) => {
  const value = request.headers['x-service-api-key'];
  if (typeof value !== 'string') return reply.code(401).send({ error: { code: 'UNAUTHORIZED' } });
  const [key] = await findKey.execute({ hash: createHash('sha256').update(value).digest() });
  if (key === undefined) return reply.code(401).send({ error: { code: 'UNAUTHORIZED' } });
  const [spent] = await spend.execute({ bucket: `bench/${key.organizationId}` });
  reply
    .header('x-ratelimit-limit', maxPerMinute)
    .header('x-ratelimit-remaining', maxPerMinute - spent.count)
    .header('x-ratelimit-reset', spent.windowStart + 60);
  if (spent.count > maxPerMinute) return reply.code(429).send({ error: { code: 'RATE_LIMIT_EXCEEDED' } });
  if (key.role !== 'cr_admin' || key.plan !== 'enterprise')
    return reply.code(403).send({ error: { code: 'FORBIDDEN' } });
  request.organizationId = key.organizationId;
});

app.get('/v1/organizations', async (request) => {
  const found = await listOrganizations.execute({ id: request.organizationId });
  return { organizations: found.slice(0, 100), next_cursor: null };
});

/** Returns entries that are stored as complete text, one per row. */
app.get('/text', async (request, reply) => {
  const { start_date, end_date } = request.query;
  const { rows } = await pool.query({
    name: 'text_page',
    text: `SELECT seq, entry FROM bench_entries
      WHERE organization_id = $1 AND merged_at >= $2::date AND merged_at < $3::date + 1 ORDER BY seq LIMIT 1001`,
    values: [request.organizationId, start_date, end_date],
  });
  const page = rows.slice(0, 1000);
  reply.type('application/json');
  return `{"data":[${page.map(({ entry }) => entry).join()}],"next_cursor":${JSON.stringify(page.at(-1)?.seq ?? null)}}`;
});

/** Reads plain tables; SQL builds the whole response. */
app.get('/sql-json', async (request, reply) => {
  const { start_date, end_date } = request.query;
  const { rows } = await pool.query({
    name: 'json_page',
    text: `
      WITH page AS MATERIALIZED (
        SELECT p.* FROM bench_pull_requests p
        WHERE p.organization_id = $1 AND p.merged_at >= $2::date AND p.merged_at < $3::date + 1 ORDER BY p.seq LIMIT 1001)
      SELECT json_build_object('data', json_agg(json_build_object('pr_url', p.url, 'organization_id', p.org_id,
        'repository_id', p.repository_id, 'author_id', p.author_id, 'merged_at', p.merged_at,
        'coderabbit_comments', (
          SELECT json_agg(json_build_object('url', c.url, 'severity', c.severity, 'category', c.category,
            'accepted', c.accepted) ORDER BY c.position)
          FROM bench_comments c WHERE c.organization_id = p.organization_id AND c.seq = p.seq)) ORDER BY p.seq),
        'next_cursor', max(p.seq))::text AS body
      FROM page p`,
    values: [request.organizationId, start_date, end_date],
  });
  reply.type('application/json');
  return rows[0].body;
});

/** Reads plain tables, joined by the database; the rows are parsed and stringified again. */
app.get('/plain', async (request) => {
  const { start_date, end_date } = request.query;
  const { rows } = await pool.query({
    name: 'plain_page',
    text: `
      SELECT p.seq, p.url, p.org_id, p.repository_id, p.author_id, p.merged_at, (
        SELECT json_agg(json_build_object('url', c.url, 'severity', c.severity, 'category', c.category,
          'accepted', c.accepted) ORDER BY c.position)
        FROM bench_comments c WHERE c.organization_id = p.organization_id AND c.seq = p.seq) AS comments
      FROM bench_pull_requests p
      WHERE p.organization_id = $1 AND p.merged_at >= $2::date AND p.merged_at < $3::date + 1 ORDER BY p.seq LIMIT 1001`,
    values: [request.organizationId, start_date, end_date],
  });
  const page = rows.slice(0, 1000);
  const data = page.map((row) => ({
    pr_url: row.url,
    organization_id: row.org_id,
    repository_id: row.repository_id,
    author_id: row.author_id,
    merged_at: row.merged_at,
    coderabbit_comments: row.comments,
  }));
  return { data, next_cursor: page.at(-1)?.seq ?? null };
});

const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`ready at ${address}\n`);
process.once('SIGTERM', async () => {
  await app.close();
  await pool.end();
});
