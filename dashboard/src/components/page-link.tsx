import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Search } from '../lib/search.ts';

/** A link to another page of the dashboard. */
export function PageLink({
  to,
  search,
  isInText = false,
  children,
}: {
  to: string;
  search?: Search;
  /** Whether it is within text: there it is underlined, because the color alone does not distinguish it. */
  isInText?: boolean;
  children: ReactNode;
}) {
  return (
    <Anchor
      inherit
      {...(isInText && { underline: 'always' })}
      renderRoot={(props) => <Link {...props} to={to as never} search={search as never} />}
    >
      {children}
    </Anchor>
  );
}
