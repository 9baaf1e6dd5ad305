import assert from 'node:assert/strict';
import type net from 'node:net';
import { after, test } from 'node:test';
import { patience } from '../../../../test/patience.ts';
import { createTestDatabase } from '../../../../test/postgres.ts';
import { openClient } from '../open-client.ts';
import { isUnavailable } from '../unavailable.ts';

const { target, drop } = await createTestDatabase({ empty: true });
after(drop);

/** postgres.js sends a long text at once, and a short one with whatever else comes until the next turn. */
const texts = { short: 'SELECT 1 AS one', long: `SELECT 1 AS one -- ${'x'.repeat(2_000)}` };
const lost = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

async function connected() {
  const sockets: net.Socket[] = [];
  const onsocket = (socket: net.Socket) => void sockets.push(socket);
  const sql = openClient(target, { max: 1, applicationName: 'test', ...patience, onsocket });
  after(() => sql.end());
  await sql`SELECT 1`;
  return { sql, socket: sockets[0]! };
}

/** A statement is carried out, or it fails as one that may be sent again; and the next ones are carried out. */
async function assertHonest(sql: ReturnType<typeof openClient>, answer: Promise<readonly unknown[]>) {
  const [outcome] = await Promise.allSettled([answer]);
  if (outcome.status === 'fulfilled') assert.deepEqual([...outcome.value], [{ one: 1 }]);
  else assert.ok(isUnavailable(outcome.reason), String(outcome.reason));
  for (const text of Object.values(texts))
    assert.deepEqual([...(await sql.unsafe(text, []))], [{ one: 1 }], 'the one after it');
}

for (const [length, text] of Object.entries(texts)) {
  test(`a ${length} statement that comes while a free connection ends is not answered with nothing`, async () => {
    for (const moment of ['at once', 'when it is told', 'a turn later'] as const) {
      const { sql, socket } = await connected();
      const { promise, resolve } = Promise.withResolvers<Promise<readonly unknown[]>[]>();
      // Promises in an array, for whoever resolves with a promise waits for it.
      const send = () => resolve([sql.unsafe(text, []).execute()]);
      if (moment === 'when it is told') socket.prependOnceListener('error', send);
      socket.destroy(lost());
      if (moment === 'at once') send();
      if (moment === 'a turn later') process.nextTick(send);
      const [answer] = await promise;
      await assertHonest(sql, answer!);
    }
  });

  test(`a ${length} statement that is not sent yet when its connection ends leaves nothing behind for the next one`, async () => {
    for (const end of [
      (socket: net.Socket) => socket.destroy(lost()),
      (socket: net.Socket) => socket.emit('end'),
    ]) {
      const { sql, socket } = await connected();
      const answer = sql.unsafe(text, []).execute();
      end(socket);
      await assertHonest(sql, answer);
    }
  });
}

test('a connection that ends before anybody has taken it fails its statement, and the next one is carried out', async () => {
  let isFirst = true;
  const onsocket = (socket: net.Socket) => {
    // As an encrypted one does.
    socket.on('error', () => {});
    if (isFirst) socket.destroy(lost());
    isFirst = false;
  };
  const sql = openClient(target, { max: 1, applicationName: 'test', ...patience, onsocket });
  after(() => sql.end());
  await assertHonest(sql, sql.unsafe(texts.short, []).execute());
});
