/** The baseline of the benchmark: the usual way to receive webhooks durably, with one committed INSERT per delivery. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import Fastify from 'fastify';
import { openDatabase } from '../../src/db/database.ts';

const { sql } = openDatabase({ url: process.env.DATABASE_URL ?? '' }, { maxConnections: 10 });
await sql`CREATE TABLE plain_hooks (delivery_id text PRIMARY KEY, event text, body text, received_at timestamptz)`;

const app = Fastify();
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
);
app.post('/', async (request, reply) => {
  const body = request.body as Buffer;
  const expected = createHmac('sha256', process.env.WEBHOOK_SECRET ?? '')
    .update(body)
    .digest();
  const given = Buffer.from(String(request.headers['x-gitea-signature']), 'hex');
  if (!timingSafeEqual(expected, given)) return reply.code(401).send({});
  const id = String(request.headers['x-gitea-delivery']);
  const event = String(request.headers['x-gitea-event']);
  await sql`
    INSERT INTO plain_hooks VALUES (${id}, ${event}, ${body.toString()}, ${new Date()}) ON CONFLICT DO NOTHING`;
  return reply.code(202).send({});
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.on('SIGTERM', () => process.exit(0));
