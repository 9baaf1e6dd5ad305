import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportWhileSlow } from './report-while-slow.ts';

test('work is reported after three seconds and then five, with what it waits for at that moment, until it ends', ({
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

test('the same step is reported less and less often, up to once a minute, and a new one soon', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const reports: [number, string][] = [];
  const work = reportWhileSlow('a', (...report) => reports.push(report));
  const seconds = () => reports.splice(0).map(([second, step]) => `${second} ${step}`);
  for (let second = 0; second < 250; second += 1) {
    if (second % 30 === 0) work.enter('a');
    mock.timers.tick(1_000);
  }
  assert.deepEqual(seconds(), ['3 a', '8 a', '18 a', '38 a', '78 a', '138 a', '198 a']);
  work.enter('b');
  for (let second = 0; second < 40; second += 1) mock.timers.tick(1_000);
  assert.deepEqual(seconds(), ['255 b', '260 b', '270 b', '290 b']);
  work.end();
});
