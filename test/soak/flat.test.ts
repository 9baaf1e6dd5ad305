import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeGrowth, judgeLevel, quartersOf, swollenTables } from '../../bench/soak/flat.ts';
import type { Sample, TableFigures } from '../../bench/soak/samples.ts';

const count = 200;
const times = Array.from({ length: count }, (_, at) => at);
const inQuarters = (value: (at: number) => number) =>
  quartersOf(times.map((at) => ({ at }))).map((quarter) => quarter.map(({ at }) => value(at)));
/** Pseudo-random values from 0 to 1, the same for every run. */
const noise = (at: number) => ((at * 7919) % 97) / 97;

test('a steadily growing value is not flat, one that goes up and down is', () => {
  assert.equal(
    judgeLevel(
      'a queue',
      inQuarters((at) => at / 2),
      false,
    ).isFlat,
    false,
  );
  assert.equal(
    judgeLevel(
      'a queue',
      inQuarters((at) => 30 * noise(at)),
      false,
    ).isFlat,
    true,
  );
});

test('memory is judged by its minima: garbage that is not collected yet is not growth, memory that stays is', () => {
  const collected = (at: number) => 200 + (at % 10) * 10;
  assert.equal(judgeLevel('memory', inQuarters(collected), true).isFlat, true);
  assert.equal(
    judgeLevel(
      'memory',
      inQuarters((at) => collected(at) + at / 2),
      true,
    ).isFlat,
    false,
  );
});

const sampleAt = (at: number, databaseMegabytes: number, table: TableFigures): Sample => ({
  at,
  load: 1,
  figures: {},
  tables: { notes: table },
  databaseMegabytes,
  dataMegabytes: 0,
  walMegabytes: 0,
  changes: at * 10,
});
const samplesOf = (size: (at: number) => number, table: (at: number) => TableFigures) =>
  quartersOf(times.map((at) => sampleAt(at, size(at), table(at))));
const steady = { rows: 5_000, dead: 100, megabytes: 4 };

test('disk usage that grows with the stored data is flat, usage that grows with each change is not', () => {
  const judge = (size: (at: number) => number) =>
    judgeGrowth(
      'database',
      samplesOf(size, () => steady),
      ({ databaseMegabytes }) => databaseMegabytes,
    ).isFlat;
  assert.equal(
    judge((at) => at),
    true,
  );
  assert.equal(
    judge((at) => at + (at / 60) ** 4),
    false,
  );
});

test('a table swells if its dead rows stay, or if it grows without its rows', () => {
  const swollen = (table: (at: number) => TableFigures) => swollenTables(samplesOf(() => 1, table)).length;
  assert.equal(
    swollen((at) => ({ rows: at * 100, dead: at % 9 ? 90_000 : 20, megabytes: at / 10 })),
    0,
  );
  assert.equal(
    swollen(() => ({ ...steady, dead: 2_000 })),
    1,
  );
  assert.equal(
    swollen((at) => ({ ...steady, megabytes: 4 + at / 20 })),
    1,
  );
});
