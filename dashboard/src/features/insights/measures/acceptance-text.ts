import { formatPercent } from '../../../lib/format.ts';
import type { Measures } from '../wire.ts';
import { aboveChance, acceptanceOf, type Outcomes } from './acceptance.ts';

export const tooFew = 'Not enough data';

/** The acceptance rate with its interval. */
export function acceptanceText(counts: Pick<Outcomes, 'accepted' | 'not_accepted'>): string {
  const acceptance = acceptanceOf(counts);
  if (acceptance === undefined) return tooFew;
  const { rate, low, high } = acceptance;
  return `${formatPercent(rate)} (${(low * 100).toFixed(0)}–${(high * 100).toFixed(0)})`;
}

/** A difference of shares in percentage points, with its sign. */
export const signedPoints = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(0)}`;

/** How many points acceptance is above chance, with the interval. */
export function aboveChanceText(measures: Measures): string {
  const above = aboveChance(measures.compared);
  if (above === undefined) return tooFew;
  return `${signedPoints(above.rate)} (${signedPoints(above.low)} to ${signedPoints(above.high)})`;
}
