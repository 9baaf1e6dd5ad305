import type { Tx } from '../../db/database.ts';
import type { AuditChange } from '../audit-log/record-changes.ts';
import type { Outcome } from './merge-row.ts';
import type { PlatformTallies } from './platform-document.ts';

/** What one application of a document carries from step to step. */
export interface ApplyRun {
  readonly tx: Tx;
  readonly now: Date;
  /** Every fault found, with its path; any fault undoes the whole. */
  readonly faults: string[];
  readonly changes: AuditChange[];
  readonly outcomes: Record<keyof PlatformTallies, Outcome[]>;
}

/** Notes a fault for every identity that a list names twice, and gives the list without the repeated ones. */
export function checkUnique<T>(
  run: ApplyRun,
  path: string,
  items: readonly T[],
  identityOf: (item: T) => string,
): T[] {
  const seen = new Set<string>();
  return items.filter((item, index) => {
    const identity = identityOf(item);
    const isRepeated = seen.has(identity);
    if (isRepeated) run.faults.push(`${path}[${index}]: named twice in the document`);
    seen.add(identity);
    return !isRepeated;
  });
}
