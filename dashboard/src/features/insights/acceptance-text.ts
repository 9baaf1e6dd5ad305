import { formatPercent } from '../../lib/format.ts';
import { aboveChance, acceptanceOf } from '../overview/acceptance.ts';
import type { Measures } from './wire.ts';

export const tooFew = 'Too few';

/** The acceptance rate with its interval. */
export function acceptanceText(measures: Measures): string {
  const acceptance = acceptanceOf(measures);
  if (acceptance === undefined) return tooFew;
  const { rate, low, high } = acceptance;
  return `${formatPercent(rate)} (${(low * 100).toFixed(0)}–${(high * 100).toFixed(0)})`;
}

/** How many points acceptance is above chance, with the interval. */
export function aboveChanceText(measures: Measures): string {
  const above = aboveChance(measures.compared);
  if (above === undefined) return tooFew;
  const points = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(0)}`;
  return `${points(above.rate)} (${points(above.low)} to ${points(above.high)})`;
}
