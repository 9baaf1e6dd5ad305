import type { Spread } from '../wire.ts';
import { countUnits, durationUnit } from './durations.ts';

/** With fewer values, a median says nothing about the next one. */
export const minValues = 5;

const plain = (value: number) => value.toFixed(1).replace(/\.0$/, '');

/**
 * The median, and the range of the middle half of the values; undefined if there is not enough data. Times are all in the unit
 * that suits the median, or the median that they are compared to, so that they can be compared at a glance.
 */
export function describeSpread(
  { count, median, low, high }: Spread,
  kind: 'seconds' | 'number',
  comparedTo?: Spread,
): { median: string; range: string } | undefined {
  if (count < minValues || median === null || low === null || high === null) return undefined;
  if (kind === 'number') return { median: plain(median), range: `${plain(low)} to ${plain(high)}` };
  const unit = durationUnit((comparedTo?.median ?? median) * 1000);
  const inUnit = (seconds: number) => countUnits(seconds * 1000, unit);
  return {
    median: `${inUnit(median)} ${unit.name}`,
    range: `${inUnit(low)} to ${inUnit(high)} ${unit.name}`,
  };
}
