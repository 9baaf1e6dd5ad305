import { table } from '../metrics/report.ts';
import type { Calls } from './calls.ts';
import { judgeGrowth, judgeLevel, quartersOf, swollenTables, type Verdict } from './flat.ts';
import type { Sample } from './samples.ts';

const number = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1));
const memories = /memory|heap/;

/** Judges all figures, and finds tables with bloat. */
export function judge(samples: readonly Sample[]): { verdicts: Verdict[]; swollen: string[] } {
  const quarters = quartersOf(samples);
  const verdicts = Object.keys(samples[0]!.figures).map((what) =>
    judgeLevel(
      what,
      quarters.map((quarter) => quarter.map(({ figures }) => figures[what]!)),
      memories.test(what),
    ),
  );
  return {
    verdicts: [
      ...verdicts,
      judgeGrowth('database', quarters, ({ databaseMegabytes }) => databaseMegabytes),
      judgeGrowth('data folder', quarters, ({ dataMegabytes }) => dataMegabytes),
    ],
    swollen: swollenTables(quarters),
  };
}

export function showVerdicts(verdicts: readonly Verdict[]): string {
  return table(
    ['What', 'First quarter', 'Second', 'Third', 'Last', 'At most', 'Flat'],
    verdicts.map(({ what, levels, most, isFlat }) => [
      what,
      ...levels.map(number),
      number(most),
      isFlat ? 'yes' : '**no**',
    ]),
  );
}

/** Response times in milliseconds, by quarter: median and 95th percentile. */
export function showLatencies({ made }: Calls, begin: number, end: number): string {
  const counted = made.filter(({ at }) => at >= begin && at < end);
  const byKind = Map.groupBy(counted, ({ kind }) => kind);
  const rows = [...byKind].map(([kind, ofKind]) => [
    kind,
    String(ofKind.length),
    ...[0, 1, 2, 3].map((quarter) => {
      const inQuarter = ofKind.filter(
        ({ at }) => Math.min(3, Math.floor((4 * (at - begin)) / (end - begin))) === quarter,
      );
      const times = inQuarter.map(({ ms }) => ms).sort((a, b) => a - b);
      const share = (of: number) => (times[Math.floor(times.length * of)] ?? Number.NaN).toFixed(0);
      return `${share(0.5)} / ${share(0.95)}`;
    }),
  ]);
  return table(['Requests (median / 95 %, ms)', 'Number', 'First quarter', 'Second', 'Third', 'Last'], rows);
}
