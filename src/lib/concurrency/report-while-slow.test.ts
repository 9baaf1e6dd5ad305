import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportWhileSlow } from './report-while-slow.ts';

test('work is reported after three seconds and then every five, with what it waits for at that moment, until it ends', ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const reports: [number, string][] = [];
  const work = reportWhileSlow('the database is starting', (...report) => reports.push(report));
  mock.timers.tick(2_999);
  assert.deepEqual(reports, []);
  mock.timers.tick(1);
  work.enter('the server is loading');
  mock.timers.tick(5_000);
  work.end();
  mock.timers.tick(60_000);
  assert.deepEqual(reports, [
    [3, 'the database is starting'],
    [8, 'the server is loading'],
  ]);
});
