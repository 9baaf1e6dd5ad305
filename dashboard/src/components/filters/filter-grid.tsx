import type { ReactNode } from 'react';

/** The filters of a page side by side, with equal widths: several in a row on a wide screen, two on a narrow one. */
export function FilterGrid({ children }: { children: ReactNode }) {
  return <div className="filters">{children}</div>;
}
