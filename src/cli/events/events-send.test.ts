import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand, startFakeServer } from '../../../test/command-line.ts';
import { describeProblems } from './event-problems.ts';

test('after a lost connection, events send says that some events may be stored and that sending again is safe', async () => {
  const server = await startFakeServer((request) => {
    request.once('data', () => request.socket.resetAndDestroy());
  });
  const { code, err } = await runCommand(['events', 'send', '-'], server, '{}\n'.repeat(2_000_000));
  assert.equal(code, 1);
  assert.match(err, /was lost \((ECONNRESET|EPIPE)\); some events may have been stored/);
  assert.match(err, /safe to send the file again/);
});

test('a problem of several events is printed once, with their number and positions', async () => {
  const problem = (index: number, message: string, id: string | null = null) => ({
    index,
    id,
    code: 'INVALID_EVENT',
    message,
  });
  const errors = [
    ...Array.from({ length: 20 }, (_, index) => problem(index, 'the line is not valid JSON')),
    problem(21, 'data: is required', 'e-22'),
    problem(24, 'the line is not valid JSON'),
  ];
  const server = await startFakeServer((request, response) => {
    const outcome = JSON.stringify({ accepted: 1, duplicate: 0, failed: 22, errors });
    request.resume().on('end', () => response.end(outcome));
  });
  const { code, err } = await runCommand(['events', 'send', '-'], server, '{}\n');
  assert.equal(code, 1);
  assert.equal(
    err,
    `21 events (1-20, 25): INVALID_EVENT: the line is not valid JSON
event 22 (e-22): INVALID_EVENT: data: is required
22 events were not stored
`,
  );
  const many = Array.from({ length: 23 }, (_, index) => problem(index, `fault ${index}`));
  assert.deepEqual(describeProblems(many).slice(19), [
    'event 20: INVALID_EVENT: fault 19',
    'and 3 other problems',
  ]);
});
