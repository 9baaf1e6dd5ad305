import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Leads to another page of the dashboard. */
export function PageLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor inherit renderRoot={(props) => <Link {...props} to={to as never} />}>
      {children}
    </Anchor>
  );
}
