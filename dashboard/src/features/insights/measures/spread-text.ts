import type { Spread } from '../wire.ts';
import { formatDuration } from './durations.ts';

/** With fewer values, a median says nothing about the next one. */
export const minValues = 5;

const inSeconds = (value: number) => formatDuration(value * 1000);
const plain = (value: number) => value.toFixed(1).replace(/\.0$/, '');

/** The median, and between which values the middle half lies; undefined if there is not enough data. */
export function describeSpread(
  { count, median, low, high }: Spread,
  unit: 'seconds' | 'number',
): { median: string; range: string } | undefined {
  if (count < minValues || median === null || low === null || high === null) return undefined;
  const format = unit === 'seconds' ? inSeconds : plain;
  return { median: format(median), range: `${format(low)} to ${format(high)}` };
}
