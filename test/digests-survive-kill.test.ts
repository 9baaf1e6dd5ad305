import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accepted, startMailServer } from './mail-server.ts';
import { createTestDatabase, urlOf } from './postgres.ts';
import { createPostilProcess } from './postil-process.ts';
import { organization } from './sample-platform.ts';

const mail = await startMailServer();
const { database, target, drop } = await createTestDatabase();
const postil = await createPostilProcess({
  DATABASE_URL: urlOf(target),
  POSTIL_PUBLIC_URL: 'http://postil.one.test',
  POSTIL_SMTP_URL: `smtp://127.0.0.1:${mail.settings.port}`,
  POSTIL_SMTP_FROM: mail.settings.from,
});
after(async () => {
  await postil.remove();
  await mail.close();
  await drop();
});

const { sql } = database;
const recipients = Array.from({ length: 12 }, (_, index) => `person-${index}@one.test`);
const underWay = () => sql`SELECT FROM digest_sendings WHERE state IN ('waiting', 'claimed', 'sending')`;

test('kill -9 while a digest is sent: nobody gets it twice, and the other recipients get it afterwards', async () => {
  await postil.start();
  const platform = { organizations: [organization({ provider_organization_id: '1001' })] };
  assert.equal((await postil.call('PUT', '/operator/v1/platform', platform)).status, 200);
  await postil.kill();
  await sql`
    INSERT INTO digests (organization_id, id, weekday, hour, recipients, active, next_due_at, created_at)
    SELECT id, gen_random_uuid(), 1, 7, ${recipients}, true, now() - interval '1 hour', now() FROM organizations`;

  // After some answers the mail server accepts mails without answering.
  const arrived: string[] = [];
  const held: string[] = [];
  mail.react = ({ to }) => {
    arrived.push(to);
    if (arrived.length <= 3) return accepted;
    held.push(to);
    return () => {};
  };
  await postil.start();
  while (held.length === 0) await sleep(20);
  await postil.kill();
  const heldAtKill = new Set(held);
  mail.react = ({ to }) => {
    arrived.push(to);
    return accepted;
  };
  // Simulates that the lease of the killed server has expired.
  await sql`UPDATE digest_sendings SET changed_at = changed_at - interval '1 hour'`;
  await postil.start();
  while ((await underWay()).length > 0) await sleep(50);

  assert.deepEqual(arrived.toSorted(), [...new Set(arrived)].toSorted(), 'nobody got it twice');
  const rows = await sql<
    { recipient: string; state: string }[]
  >`SELECT recipient, state FROM digest_sendings`;
  const states = new Map(rows.map(({ recipient, state }) => [recipient, state]));
  assert.equal(states.size, recipients.length);
  for (const address of recipients) {
    const state = states.get(address);
    if (heldAtKill.has(address)) assert.equal(state, 'unknown', `${address} may have it`);
    else assert.ok(state === 'sent' || state === 'unknown', `${address} is ${state}`);
    if (state === 'sent') assert.ok(arrived.includes(address), `${address} did not get it`);
  }
  const [made] = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM digest_issues`;
  assert.equal(made!.count, 1, 'one for the week');
});
