import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { fillWeek, makeDigestOrganizations, monday } from '../../../../test/digest-organization.ts';
import { startTestApp, type TestApp } from '../../../../test/harness.ts';
import { accepted, headerOf, startMailServer } from '../../../../test/mail-server.ts';
import { startWebhookReceiver } from '../../../../test/webhook-receiver.ts';

const mail = await startMailServer();
const chat = await startWebhookReceiver();
after(() => Promise.all([mail.close(), chat.close()]));
const server = await startTestApp({
  settings: {
    publicUrl: 'http://postil.one.test',
    mail: mail.settings,
    customerAddresses: { ranges: [['127.0.0.1', 32]], hosts: [] },
  },
});
const [one] = await makeDigestOrganizations(server);
await fillWeek(server, '6001');
const otherNode = await server.secondNode();
const { sql } = server.database;
const path = `/dashboard/v1/digests?${one.scope}`;

/** The week before the one that is filled, so that a digest made now is due on `monday`. */
const before = new Date('2026-06-19T12:00:00.000Z');
const minutes = (count: number) => new Date(server.now.getTime() + count * 60_000);

beforeEach(async () => {
  await sql`DELETE FROM digests`;
  server.now = before;
  mail.mails.length = 0;
  mail.react = () => accepted;
  mail.answerRecipient = () => accepted;
  chat.calls.length = 0;
  chat.react = () => 204;
});

async function create(body: object) {
  const created = await one.admin.call('POST', path, { body });
  assert.equal(created.status, 201, created.text);
}
const run = (node: Pick<TestApp, 'app'> = server) =>
  node.app.schedules.find(({ name }) => name === 'send digests')!.run(new AbortController().signal);
const sendings = async () => {
  const rows =
    await sql`SELECT recipient, state, attempts, error FROM digest_sendings ORDER BY end_date, recipient`;
  return rows.map(({ recipient, state, attempts }) => [recipient, state, attempts]);
};
const decoded = (source: string) =>
  source
    .replaceAll(/=\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

describe('once a week', () => {
  test('nothing before its time; then one mail to each address and one message, and nothing more that week', async () => {
    await create({
      recipients: ['a@one.test', 'b@one.test'],
      chat: { kind: 'slack', url: `${chat.url}/hook` },
    });
    server.now = new Date(monday.getTime() - 1);
    await run();
    assert.deepEqual([mail.mails.length, chat.calls.length], [0, 0]);
    server.now = monday;
    await run();
    assert.deepEqual(mail.mails.map(({ to }) => to).sort(), ['a@one.test', 'b@one.test']);
    const { source, from } = mail.mails[0]!;
    assert.equal(from, 'postil@postil.test');
    assert.match(source, /^Subject: The week of Org 6001$/m);
    assert.match(
      headerOf(mail.mails[0]!, 'Message-ID')!,
      /^<digest\.[0-9a-f-]+\.2026-06-21\.[0-9a-f]{16}@postil\.one\.test>$/,
    );
    assert.match(source, /^Auto-Submitted: auto-generated$/m);
    assert.match(source, /text\/plain/);
    assert.match(source, /text\/html/);
    assert.match(decoded(source), /3 pull requests were merged/);
    assert.equal(chat.calls[0]!.event.blocks[0].text.text, 'The week of Org 6001');
    for (const later of [0, 60, 24 * 60, 6 * 24 * 60]) {
      server.now = new Date(monday.getTime() + later * 60_000);
      await run();
      await run(otherNode);
    }
    assert.deepEqual([mail.mails.length, chat.calls.length], [2, 1]);
    server.now = new Date(monday.getTime() + 7 * 24 * 3_600_000);
    await run(otherNode);
    assert.deepEqual([mail.mails.length, chat.calls.length], [4, 2]);
  });

  test('two nodes at the same time send each once', async () => {
    const recipients = Array.from({ length: 20 }, (_, index) => `p${index}@one.test`);
    await create({ recipients, chat: { kind: 'teams', url: `${chat.url}/hook` } });
    server.now = monday;
    await Promise.all([run(), run(otherNode), run(), run(otherNode)]);
    assert.deepEqual(mail.mails.map(({ to }) => to).sort(), recipients.sort());
    assert.equal(chat.calls.length, 1);
    assert.ok((await sendings()).every(([, state, attempts]) => state === 'sent' && attempts === 1));
  });

  test('of weeks in which no server ran, only the last is sent', async () => {
    await create({ recipients: ['a@one.test'] });
    server.now = new Date(monday.getTime() + 23 * 24 * 3_600_000);
    await run();
    assert.equal(mail.mails.length, 1);
    assert.match(mail.mails[0]!.source, /\.2026-07-12\./);
  });

  test('another hour or day, or a pause and its end, does not send the same week again', async () => {
    await create({ recipients: ['a@one.test'] });
    server.now = monday;
    await run();
    const [{ id }] = (await one.admin.call('GET', path)).json.digests;
    const change = (body: object) =>
      one.admin.call('PATCH', `/dashboard/v1/digests/${id}?${one.scope}`, { body });
    await change({ hour: 9 });
    server.now = new Date(monday.getTime() + 2 * 3_600_000);
    await run();
    await change({ active: false });
    await change({ active: true, hour: 7 });
    await run();
    assert.equal(mail.mails.length, 1);
  });

  test('who unsubscribes, or is removed, between the making and the sending gets nothing', async () => {
    await create({ recipients: ['a@one.test', 'b@one.test'] });
    server.now = monday;
    mail.answerRecipient = () => '451 later';
    await run();
    mail.answerRecipient = () => accepted;
    await sql`UPDATE digests SET recipients = ARRAY['b@one.test']`;
    server.now = minutes(2);
    await run();
    assert.deepEqual(
      mail.mails.map(({ to }) => to),
      ['b@one.test'],
    );
    assert.deepEqual(await sendings(), [
      ['a@one.test', 'dropped', 2],
      ['b@one.test', 'sent', 2],
    ]);
  });

  test('a team that is gone is left out, and others are still sent', async () => {
    const team = await one.admin.call('POST', `/dashboard/v1/teams?${one.scope}`, {
      body: { name: 'Short' },
    });
    await create({ team_id: team.json.id, recipients: ['team@one.test'] });
    await create({ recipients: ['a@one.test'] });
    await one.admin.call('DELETE', `/dashboard/v1/teams/${team.json.id}?${one.scope}`);
    server.now = monday;
    await run();
    await run();
    assert.deepEqual(
      mail.mails.map(({ to }) => to),
      ['a@one.test'],
    );
  });
});

describe('whatever happens in between', () => {
  test('a node that dies after the mail was accepted and before it noted that does not send it twice, nor does another', async () => {
    await create({ recipients: ['a@one.test'] });
    server.now = monday;
    let answer!: () => void;
    const arrived = new Promise<void>((resolve) => {
      mail.react = () => (socket, received) => {
        mail.mails.push(received);
        answer = () => void socket.write(`${accepted}\r\n`);
        resolve();
      };
    });
    const slow = run();
    await arrived;
    assert.deepEqual(await sendings(), [['a@one.test', 'sending', 1]], 'noted before it may arrive');
    for (const later of [1, 6, 11, 60, 24 * 60]) {
      server.now = new Date(monday.getTime() + later * 60_000);
      await run(otherNode);
    }
    assert.deepEqual(await sendings(), [['a@one.test', 'unknown', 1]]);
    assert.equal(mail.mails.length, 1);
    // The node was slow, but had not crashed.
    answer();
    await slow;
    assert.deepEqual(await sendings(), [['a@one.test', 'sent', 1]]);
    assert.equal(mail.mails.length, 1);
  });

  test('a node that dies before it sends loses nothing, and if it was only slow, it does not send any more', async () => {
    await create({ recipients: ['a@one.test'] });
    server.now = monday;
    // The state after a node crashed between claiming it and connecting.
    mail.answerRecipient = () => '451 later';
    await run();
    mail.answerRecipient = () => accepted;
    await sql`UPDATE digest_sendings SET state = 'claimed', attempts = 1, changed_at = ${monday}`;
    server.now = minutes(4);
    await run(otherNode);
    assert.equal(mail.mails.length, 0, 'it may still be at work');
    server.now = minutes(2);
    await run(otherNode);
    assert.deepEqual(await sendings(), [['a@one.test', 'sent', 2]]);
    const { beginSending } = await import('./sending-store.ts');
    const [row] = await sql`SELECT digest_id FROM digest_sendings`;
    const mine = {
      organizationId: one.organizationId as never,
      digestId: row!.digest_id,
      endDate: '2026-06-21',
      recipient: 'a@one.test',
      attempts: 1,
    };
    assert.equal(await beginSending(sql, mine, server.now), false);
    assert.equal(mail.mails.length, 1);
  });

  test('a connection that breaks after the mail was sent is not tried again; one that breaks before is', async () => {
    await create({ recipients: ['a@one.test'] });
    server.now = monday;
    mail.react = () => (socket) => void socket.destroy();
    await run();
    assert.deepEqual(await sendings(), [['a@one.test', 'unknown', 1]]);
    server.now = minutes(24 * 60);
    mail.react = () => accepted;
    await run();
    assert.equal(mail.mails.length, 0);
    await sql`UPDATE digest_sendings SET state = 'waiting', attempts = 0`;
    mail.answerRecipient = () => '421 shutting down';
    await run();
    assert.deepEqual(await sendings(), [['a@one.test', 'waiting', 1]]);
  });

  test('what the server refuses for now is tried again a few times with growing pauses, then given up; refused for good, at once', async () => {
    await create({ recipients: ['a@one.test', 'gone@one.test'] });
    server.now = monday;
    mail.answerRecipient = (address) => (address === 'gone@one.test' ? '550 no such user' : '451 try later');
    await run();
    assert.deepEqual(await sendings(), [
      ['a@one.test', 'waiting', 1],
      ['gone@one.test', 'failed', 1],
    ]);
    for (let hours = 1; hours <= 72; hours += 1) {
      server.now = minutes(60);
      await run();
    }
    assert.deepEqual((await sendings())[0], ['a@one.test', 'failed', 7]);
    const [failed] = (await one.admin.call('GET', path)).json.digests[0].last.sendings;
    assert.match(failed.error, /451 try later/);
    const metrics = await server.operator('GET', '/metrics');
    assert.match(metrics.text, /postil_digest_sendings\{channel="mail",state="failed"\} 2/);
  });

  test('a chat that is overloaded gets it later; one that is gone, never', async () => {
    await create({ chat: { kind: 'slack', url: `${chat.url}/hook` } });
    server.now = monday;
    chat.react = () => 429;
    await run();
    assert.deepEqual(await sendings(), [['chat', 'waiting', 1]]);
    chat.react = () => 410;
    server.now = minutes(2);
    await run();
    assert.deepEqual(await sendings(), [['chat', 'failed', 2]]);
  });
});
