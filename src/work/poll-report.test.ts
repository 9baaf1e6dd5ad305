import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPollReport } from './poll-report.ts';

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

test('while the database cannot be reached, polls that fail are reported once in half a minute, with their number', () => {
  const reported: [string, number][] = [];
  let now = 0;
  const report = createPollReport(
    (error, leftOut) => reported.push([(error as Error).message, leftOut]),
    () => now,
  );
  for (; now < 60_000; now += 500) report(away());
  report(away());
  const refused = 'connect ECONNREFUSED';
  assert.deepEqual(reported, [
    [refused, 0],
    [refused, 59],
    [refused, 59],
  ]);
});

test('other errors of polling are all reported, during an outage, too', () => {
  const reported: string[] = [];
  const report = createPollReport((error) => reported.push((error as Error).message));
  report(away());
  for (const number of [1, 2, 3]) report(new Error(`fault ${number}`));
  assert.deepEqual(reported, ['connect ECONNREFUSED', 'fault 1', 'fault 2', 'fault 3']);
});
