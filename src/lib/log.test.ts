import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';

test('the log contains all errors of an AggregateError, each without fields that may quote data', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const fromDatabase = Object.assign(new Error('Key (email)=(alice@acme.test) already exists'), {
    name: 'PostgresError',
    code: '23505',
  });
  log.error({ err: new AggregateError([new Error('first'), fromDatabase, 'no error']) }, 'job failed');
  const { errors } = JSON.parse(lines[0]!).err;
  assert.deepEqual(
    errors.map(({ message, code }: Record<string, unknown>) => [message, code]),
    [
      ['first', undefined],
      [undefined, '23505'],
    ],
  );
  assert.doesNotMatch(lines[0]!, /alice/);
});
