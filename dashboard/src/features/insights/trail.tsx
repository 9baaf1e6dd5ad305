import { Breadcrumbs, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Where a page is below the overview: links to the pages above it, then its own name. */
export function Trail({ above, here }: { above: readonly ReactNode[]; here: string }) {
  return (
    <nav aria-label="Where this is">
      <Breadcrumbs mb="md" separator="›" style={{ flexWrap: 'wrap' }}>
        {above}
        <Text aria-current="page">{here}</Text>
      </Breadcrumbs>
    </nav>
  );
}
