import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand, startStandIn } from '../../test/command-line.ts';

test('events send tells that a lost connection may have stored a part, and that sending again is safe', async () => {
  const server = await startStandIn((request) => {
    request.once('data', () => request.socket.resetAndDestroy());
  });
  const { code, err } = await runCommand(['events', 'send', '-'], server, '{}\n'.repeat(2_000_000));
  assert.equal(code, 1);
  assert.match(err, /was lost \((ECONNRESET|EPIPE)\); some events may be stored/);
  assert.match(err, /Sending the file again is safe/);
});
