import assert from 'node:assert/strict';
import type net from 'node:net';
import { after, test } from 'node:test';
import { patience } from '../../../../test/patience.ts';
import { createTestDatabase } from '../../../../test/postgres.ts';
import { openClient } from '../open-client.ts';
import { isUnavailable } from '../unavailable.ts';

const { target, drop } = await createTestDatabase({ empty: true });
after(drop);

/** postgres.js sends a long text at once; it collects short ones until the next turn of the event loop. */
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

/** Asserts that a statement either runs or fails as one that may be sent again, and that the next ones run. */
async function assertHonest(sql: ReturnType<typeof openClient>, answer: Promise<readonly unknown[]>) {
  const [outcome] = await Promise.allSettled([answer]);
  if (outcome.status === 'fulfilled') assert.deepEqual([...outcome.value], [{ one: 1 }]);
  else assert.ok(isUnavailable(outcome.reason), String(outcome.reason));
  for (const text of Object.values(texts))
    assert.deepEqual([...(await sql.unsafe(text, []))], [{ one: 1 }], 'the one after it');
}

for (const [length, text] of Object.entries(texts)) {
  test(`a ${length} statement that is started while a free connection ends is not answered with an empty result`, async () => {
    for (const moment of ['at once', 'when it is told', 'a turn later'] as const) {
      const { sql, socket } = await connected();
      const { promise, resolve } = Promise.withResolvers<Promise<readonly unknown[]>[]>();
      // Wrapped in an array, because resolving with a promise would wait for it.
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

test('a connection that ends before postgres.js has taken it fails its statement, and the next statement runs', async () => {
  let isFirst = true;
  const onsocket = (socket: net.Socket) => {
    // Like an encrypted socket.
    socket.on('error', () => {});
    if (isFirst) socket.destroy(lost());
    isFirst = false;
  };
  const sql = openClient(target, { max: 1, applicationName: 'test', ...patience, onsocket });
  after(() => sql.end());
  await assertHonest(sql, sql.unsafe(texts.short, []).execute());
});
