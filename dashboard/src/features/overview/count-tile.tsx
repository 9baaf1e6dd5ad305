import { Tile } from '../../components/tile.tsx';
import { formatNumber } from '../../lib/format.ts';
import type { InsightFilters } from '../insights/filters/insight-filters.ts';
import { InsightLink } from '../insights/insight-link.tsx';

/** Instead of a number that would say nothing. */
export const notEnoughData = 'Not enough data';

/** How many there are of something, as a link to the list of them. */
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
