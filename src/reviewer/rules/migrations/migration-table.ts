import type { RuleExamples } from '../rule-examples.ts';
import { type RuleTable, stability } from '../rule-facts.ts';

const integrity = 'data_integrity_and_integration';

/** The findings about PostgreSQL migrations. */
export const migrationTable = {
  'drop-column': [
    'major',
    integrity,
    'A column is dropped',
    'Its data is gone, and the version that is still running asks for it. Stop using it first, and drop it in a later release.',
  ],
  'drop-table': [
    'major',
    integrity,
    'A table is dropped',
    'Its data is gone, and the version that is still running asks for it. Stop using it first, and drop it in a later release.',
  ],
  truncate: [
    'major',
    integrity,
    'A table is emptied',
    'Its data is gone, for the version that is still running too.',
  ],
  'rename-column': [
    'major',
    integrity,
    'A column is renamed',
    'The version that is still running asks for the old name. Add a new column, fill it, and drop the old one in a later release.',
  ],
  'rename-table': [
    'major',
    integrity,
    'A table is renamed',
    'The version that is still running asks for the old name. Leave a view of that name behind.',
  ],
  'retype-column': [
    'major',
    stability,
    'The type of a column changes',
    'Every row is written anew. Add a column of the new type, fill it in steps, and change over.',
  ],
  'volatile-default': [
    'major',
    stability,
    'A new column gets a value of its own in every row',
    'Every row is written anew. Add the column without it, set the default afterwards, and fill the rows in steps.',
  ],
  'not-null-column': [
    'major',
    stability,
    'A required column without a default',
    'It fails as soon as the table has a row. Give it a default, or make it required when it is filled.',
  ],
  'set-not-null': [
    'major',
    stability,
    'A column becomes required',
    'Every row is read. Add a check `IS NOT NULL` as `NOT VALID`, validate it, and PostgreSQL takes its word for it.',
  ],
  'add-check': [
    'major',
    stability,
    'A check is added',
    'Every row is read. Add it as `NOT VALID`, and `VALIDATE CONSTRAINT` it in a migration of its own.',
  ],
  'add-foreign-key': [
    'major',
    stability,
    'A foreign key is added',
    'Every row is read, with both tables locked. Add it as `NOT VALID`, and `VALIDATE CONSTRAINT` it in a migration of its own.',
  ],
  'add-unique': [
    'major',
    stability,
    'A key is added with its index',
    'The index is built meanwhile. Create it with `CONCURRENTLY`, and add the constraint with `USING INDEX`.',
  ],
  'create-index': [
    'major',
    stability,
    'An index is created without CONCURRENTLY',
    'It is built meanwhile. Use `CREATE INDEX CONCURRENTLY`, outside of a transaction.',
  ],
  'rewrite-table': [
    'major',
    stability,
    'The whole table is written anew',
    'It takes as long as the table is large, and twice its space.',
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
  return lock === exclusive ? 'nobody can read or write it' : 'nobody can write it';
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
