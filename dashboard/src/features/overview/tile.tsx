import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '../../lib/format.ts';
import type { InsightFilters } from '../insights/filters/insight-filters.ts';
import { InsightLink } from '../insights/insight-link.tsx';

/** Instead of a number that would say nothing. */
export const notEnoughData = 'Not enough data';

/** A number with what it means, and how it compares to the period before. */
export function Tile({
  label,
  value,
  about,
  change,
}: {
  label: string;
  value: ReactNode;
  about: ReactNode;
  change?: string | undefined;
}) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={value === notEnoughData ? 18 : 26} fw={650} lh={1.4}>
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {about}
      </Text>
      {change !== undefined && (
        <Text size="xs" mt={4}>
          {change}
        </Text>
      )}
    </Paper>
  );
}

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
