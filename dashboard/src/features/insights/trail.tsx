import { Breadcrumbs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { InsightLink } from './insight-link.tsx';

/** Where a page is below the overview: links to the pages between them, then its own name. */
export function Trail({ here, children }: { here: string; children?: ReactNode }) {
  return (
    <nav aria-label="Where this is">
      <Breadcrumbs mb="md" separator="›" style={{ flexWrap: 'wrap' }}>
        <InsightLink page="overview">Overview</InsightLink>
        {children}
        <Text aria-current="page">{here}</Text>
      </Breadcrumbs>
    </nav>
  );
}
