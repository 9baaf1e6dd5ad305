import { formatNumber } from '../../lib/format.ts';

/** How a number differs from the one of the period before, such as "+12 (+30%) from the previous period". */
export function describeChange(now: number, before: number): string {
  const difference = now - before;
  if (difference === 0) return 'Same as the previous period';
  const sign = difference > 0 ? '+' : '−';
  const share = before === 0 ? '' : ` (${sign}${Math.round((Math.abs(difference) / before) * 100)}%)`;
  return `${sign}${formatNumber(Math.abs(difference))}${share} from the previous period`;
}

/** The same for shares, in percentage points. */
export function describePoints(now: number, before: number): string {
  const points = Math.round((now - before) * 1000) / 10;
  if (points === 0) return 'Same as the previous period';
  return `${points > 0 ? '+' : '−'}${Math.abs(points)} points from the previous period`;
}
