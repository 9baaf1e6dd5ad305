/**
 * An index that is built while the tables are in use, because building it in a migration would block writers for as long
 * as it takes. One name always means one definition: to change an index, add it under a new name and drop the former one
 * in a migration.
 */
export interface BackgroundIndex {
  readonly name: string;
  /** The table; if it is partitioned, each partition gets the index, also those that are added later. */
  readonly table: string;
  /** What follows the table in CREATE INDEX, such as `USING gin (words)` or `(a, b) INCLUDE (c) WHERE a IS NOT NULL`. */
  readonly definition: string;
}

/** The indexes beyond those of the migrations. Statements that need one ask first whether it is ready (ADR 0015). */
export const backgroundIndexes = [
  // Pages over many organizations go through the rows of all of them (ADR 0019).
  {
    name: 'review_metrics_scan',
    table: 'review_metrics',
    definition: '(slot_16, write_seq) WHERE write_seq IS NOT NULL',
  },
  {
    name: 'review_metrics_mcp_scan',
    table: 'review_metrics',
    definition: '(slot_16, mcp_seq) WHERE mcp_seq IS NOT NULL',
  },
] as const satisfies readonly BackgroundIndex[];
