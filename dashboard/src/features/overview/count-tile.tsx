import { Tile } from '../../components/tile.tsx';
import { formatNumber } from '../../lib/format.ts';
import type { InsightFilters } from '../insights/filters/insight-filters.ts';
import { InsightLink } from '../insights/insight-link.tsx';

/** Shown instead of a number that would be meaningless. */
export const notEnoughData = 'Not enough data';

/** A count that links to the list of what it counts. */
export function CountTile({
  count,
  page,
  filters,
  ...tile
}: {
  count: number;
  page: 'pull-requests' | 'comments';
  filters: InsightFilters;
  label: string;
  about: string;
  change?: string | undefined;
}) {
  const value = (
    <InsightLink page={page} filters={filters}>
      {formatNumber(count)}
    </InsightLink>
  );
  return <Tile {...tile} value={value} />;
}
