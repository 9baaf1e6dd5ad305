import type { Tx } from '../../db/database.ts';
import type { AuditChange } from '../audit-log/record-changes.ts';
import type { Outcome } from './merge-row.ts';
import type { PlatformTallies } from './platform-document.ts';

/** The state of applying one document, passed from step to step. */
export interface ApplyRun {
  readonly tx: Tx;
  readonly now: Date;
  /** Every fault found, with its path; any fault rolls everything back. */
  readonly faults: string[];
  readonly changes: AuditChange[];
  readonly outcomes: Record<keyof PlatformTallies, Outcome[]>;
}

/** Adds a fault for every repeated entry of a list, and returns the list without the repeats. */
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
    if (isRepeated) run.faults.push(`${path}[${index}]: is a duplicate in the document`);
    seen.add(identity);
    return !isRepeated;
  });
}
