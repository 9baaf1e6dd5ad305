import { formatNumber } from '../../lib/format.ts';

/** How a number differs from the one of the period before, such as "+12 (+30%) on the period before". */
export function describeChange(now: number, before: number): string {
  const difference = now - before;
  if (difference === 0) return 'As in the period before';
  const sign = difference > 0 ? '+' : '−';
  const share = before === 0 ? '' : ` (${sign}${Math.round((Math.abs(difference) / before) * 100)}%)`;
  return `${sign}${formatNumber(Math.abs(difference))}${share} on the period before`;
}

/** The same for shares, in percentage points. */
export function describePoints(now: number, before: number): string {
  const points = Math.round((now - before) * 1000) / 10;
  if (points === 0) return 'As in the period before';
  return `${points > 0 ? '+' : '−'}${Math.abs(points)} points on the period before`;
}
