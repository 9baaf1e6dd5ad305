import { Breadcrumbs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFilters } from '../../lib/search.ts';
import { InsightLink } from './insight-link.tsx';

/** Breadcrumbs from the overview, or from the Inbox if the page was opened there, to the current page. */
export function Trail({ here, children }: { here: string; children?: ReactNode }) {
  const [{ via }] = useFilters();
  return (
    <nav aria-label="Breadcrumb">
      <Breadcrumbs mb="md" separator="›" style={{ flexWrap: 'wrap' }}>
        {via === 'inbox' ? (
          <InsightLink page="inbox">Inbox</InsightLink>
        ) : (
          <InsightLink page="overview">Overview</InsightLink>
        )}
        {children}
        <Text aria-current="page">{here}</Text>
      </Breadcrumbs>
    </nav>
  );
}
