import type { RuleExamples } from '../rule-examples.ts';
import { type RuleTable, stability } from '../rule-facts.ts';

const integrity = 'data_integrity_and_integration';

/** The findings about PostgreSQL migrations. */
export const migrationTable = {
  'drop-column': [
    'major',
    integrity,
    'A column is dropped',
    'The data is lost, and the version that is still running fails when it uses the column. Stop using it first, and drop it in a later release.',
  ],
  'drop-table': [
    'major',
    integrity,
    'A table is dropped',
    'The data is lost, and the version that is still running fails when it uses the table. Stop using it first, and drop it in a later release.',
  ],
  truncate: [
    'major',
    integrity,
    'All rows of a table are deleted',
    'The data is lost, also for the version that is still running.',
  ],
  'rename-column': [
    'major',
    integrity,
    'A column is renamed',
    'The version that is still running uses the old name and fails. Add a new column, fill it, and drop the old one in a later release.',
  ],
  'rename-table': [
    'major',
    integrity,
    'A table is renamed',
    'The version that is still running uses the old name and fails. Create a view with the old name.',
  ],
  'retype-column': [
    'major',
    stability,
    'The type of a column changes',
    'Every row is rewritten. Add a column of the new type, fill it in batches, and switch over.',
  ],
  'volatile-default': [
    'major',
    stability,
    'New column with a different value in every row',
    'Every row is rewritten. Add the column without a default, set the default afterwards, and fill the rows in batches.',
  ],
  'not-null-column': [
    'major',
    stability,
    'New NOT NULL column without a default',
    'The statement fails if the table has rows. Add a default, or set NOT NULL after the column has been filled.',
  ],
  'set-not-null': [
    'major',
    stability,
    'A column becomes NOT NULL',
    'Every row is checked. First add a check `IS NOT NULL` as `NOT VALID` and validate it: PostgreSQL then skips reading the rows.',
  ],
  'add-check': [
    'major',
    stability,
    'CHECK constraint added without NOT VALID',
    'Every row is checked. Add it as `NOT VALID`, and run `VALIDATE CONSTRAINT` in a separate migration.',
  ],
  'add-foreign-key': [
    'major',
    stability,
    'Foreign key added without NOT VALID',
    'Every row is checked while both tables are locked. Add it as `NOT VALID`, and run `VALIDATE CONSTRAINT` in a separate migration.',
  ],
  'add-unique': [
    'major',
    stability,
    'Constraint added without an existing index',
    'Its index is built while the table is locked. Create a unique index with `CONCURRENTLY` first, and add the constraint with `USING INDEX`. An `EXCLUDE` constraint cannot use an existing index: add it when a lock does not matter.',
  ],
  'create-index': [
    'major',
    stability,
    'Index created without CONCURRENTLY',
    'The table is locked while the index is built. Use `CREATE INDEX CONCURRENTLY`, outside of a transaction.',
  ],
  'rewrite-table': [
    'major',
    stability,
    'The whole table is rewritten',
    'The larger the table, the longer this takes; it also needs twice the disk space for a while.',
  ],
} as const satisfies RuleTable;

export type MigrationRule = keyof typeof migrationTable;

/** How PostgreSQL locks a table. */
export type TableLock = 'AccessExclusiveLock' | 'ShareRowExclusiveLock' | 'ShareLock';

/** The effect of a statement on a table with rows. A test verifies it with a real database. */
export interface TableEffect {
  readonly lock: TableLock;
  /** The table is rewritten to new files. */
  readonly rewrites?: true;
  /** All rows are read. */
  readonly scans?: true;
  /** The statement fails. */
  readonly fails?: true;
}

const exclusive = 'AccessExclusiveLock';

export const effects: Readonly<Record<MigrationRule, TableEffect>> = {
  'drop-column': { lock: exclusive },
  'drop-table': { lock: exclusive },
  truncate: { lock: exclusive, rewrites: true },
  'rename-column': { lock: exclusive },
  'rename-table': { lock: exclusive },
  'retype-column': { lock: exclusive, rewrites: true, scans: true },
  'volatile-default': { lock: exclusive, rewrites: true, scans: true },
  'not-null-column': { lock: exclusive, fails: true },
  'set-not-null': { lock: exclusive, scans: true },
  'add-check': { lock: exclusive, scans: true },
  'add-foreign-key': { lock: 'ShareRowExclusiveLock', scans: true },
  'add-unique': { lock: exclusive, scans: true },
  'create-index': { lock: 'ShareLock', scans: true },
  'rewrite-table': { lock: exclusive, rewrites: true, scans: true },
};

/** For messages: what is blocked while all rows are read or written; empty if they are not. */
export function waitOf({ lock, rewrites, scans }: TableEffect): string {
  if (rewrites === undefined && scans === undefined) return '';
  return lock === exclusive ? 'can be neither read nor written' : 'cannot be written';
}

/** An example about `orders` and `customers`, which exist and have rows. */
const example = (fails: string, passes: string) => ({
  path: 'migrations/0002_orders.sql',
  fails: `${fails}\n`,
  passes: `${passes}\n`,
});

export const migrationExamples: RuleExamples<typeof migrationTable> = {
  'drop-column': example(
    'ALTER TABLE orders DROP COLUMN note;',
    'ALTER TABLE orders ALTER COLUMN note DROP NOT NULL;',
  ),
  'drop-table': example('DROP TABLE orders;', 'DROP TABLE IF EXISTS pg_temp.orders_copy;'),
  truncate: example('TRUNCATE orders;', "DELETE FROM orders WHERE note = 'test';"),
  'rename-column': example(
    'ALTER TABLE orders RENAME COLUMN note TO remark;',
    'ALTER TABLE orders ADD COLUMN remark varchar(20);',
  ),
  'rename-table': example(
    'ALTER TABLE orders RENAME TO purchases;',
    'ALTER TABLE orders RENAME TO purchases;\nCREATE VIEW orders AS SELECT * FROM purchases;',
  ),
  'retype-column': example(
    'ALTER TABLE orders ALTER COLUMN total TYPE bigint;',
    'ALTER TABLE orders ADD COLUMN total_cents bigint;',
  ),
  'volatile-default': example(
    'ALTER TABLE orders ADD COLUMN key uuid DEFAULT gen_random_uuid();',
    'ALTER TABLE orders ADD COLUMN key uuid;\nALTER TABLE orders ALTER COLUMN key SET DEFAULT gen_random_uuid();',
  ),
  'not-null-column': example(
    'ALTER TABLE orders ADD COLUMN state text NOT NULL;',
    "ALTER TABLE orders ADD COLUMN state text NOT NULL DEFAULT 'open';",
  ),
  'set-not-null': example(
    'ALTER TABLE orders ALTER COLUMN customer SET NOT NULL;',
    'ALTER TABLE orders ADD CONSTRAINT orders_customer CHECK (customer IS NOT NULL) NOT VALID;',
  ),
  'add-check': example(
    'ALTER TABLE orders ADD CONSTRAINT orders_total CHECK (total >= 0);',
    'ALTER TABLE orders ADD CONSTRAINT orders_total CHECK (total >= 0) NOT VALID;',
  ),
  'add-foreign-key': example(
    'ALTER TABLE orders ADD CONSTRAINT orders_customer FOREIGN KEY (customer) REFERENCES customers (id);',
    'ALTER TABLE orders ADD CONSTRAINT orders_customer FOREIGN KEY (customer) REFERENCES customers (id) NOT VALID;',
  ),
  'add-unique': example(
    'ALTER TABLE orders ADD CONSTRAINT orders_number UNIQUE (number);',
    'ALTER TABLE orders ADD CONSTRAINT orders_number UNIQUE USING INDEX orders_number_index;',
  ),
  'create-index': example(
    'CREATE INDEX orders_by_customer ON orders (customer);',
    'CREATE INDEX CONCURRENTLY orders_by_customer ON orders (customer);',
  ),
  'rewrite-table': example('ALTER TABLE orders SET UNLOGGED;', 'VACUUM orders;'),
};
