import { Button } from '@mantine/core';
import { apiUrl } from '../../lib/api.ts';
import { useView } from '../../lib/session.ts';
import { queryOf, useInsightFilters } from './insight-filters.ts';

/** Downloads everything that the list shows under its filters, not only the pages loaded so far. */
export function ExportButton({ list }: { list: 'pull-requests' | 'comments' }) {
  const view = useView();
  const filters = useInsightFilters();
  const href = apiUrl(`insights/${list}`, view, { ...queryOf(filters), format: 'csv' });
  return (
    <Button component="a" href={href} download variant="default">
      Download CSV
    </Button>
  );
}
