import { Button } from '@mantine/core';
import { apiUrl, type Query } from '../../../lib/api.ts';
import { useView } from '../../../lib/session.ts';
import { queryOf, useInsightFilters } from './insight-filters.ts';

/** Downloads everything that the list shows under its filters, not only the pages loaded so far. */
export function ExportButton({
  list,
  query = {},
}: {
  list: 'pull-requests' | 'comments' | 'breakdown';
  query?: Query;
}) {
  const view = useView();
  const filters = useInsightFilters();
  const href = apiUrl(`insights/${list}`, view, { ...queryOf(filters), ...query, format: 'csv' });
  return (
    <Button component="a" href={href} download variant="default">
      Download CSV
    </Button>
  );
}
