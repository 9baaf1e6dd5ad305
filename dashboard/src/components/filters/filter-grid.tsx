import type { ReactNode } from 'react';

/** The filters of a page side by side, as wide as each other: several in a row on a wide screen, two on a narrow one. */
export function FilterGrid({ children }: { children: ReactNode }) {
  return <div className="filters">{children}</div>;
}
