import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand, startFakeServer } from '../../test/command-line.ts';

test('after a lost connection, events send says that some events may be stored and that sending again is safe', async () => {
  const server = await startFakeServer((request) => {
    request.once('data', () => request.socket.resetAndDestroy());
  });
  const { code, err } = await runCommand(['events', 'send', '-'], server, '{}\n'.repeat(2_000_000));
  assert.equal(code, 1);
  assert.match(err, /was lost \((ECONNRESET|EPIPE)\); some events may have been stored/);
  assert.match(err, /safe to send the file again/);
});
