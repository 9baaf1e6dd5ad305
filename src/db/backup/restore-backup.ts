import type { Database, Tx } from '../database.ts';
import { copyIn } from '../driver/copy-in.ts';
import { isUnavailable } from '../driver/unavailable.ts';
import { backgroundIndexes } from '../schema/indexes/background-indexes.ts';
import { buildIndexes } from '../schema/indexes/build-indexes.ts';
import { assertDescends, createSchema, lockSchema, migrate } from '../schema/migrate.ts';
import { type Migration, readMigrations } from '../schema/migrations.ts';
import { BackupError, type BackupHeader, type Progress } from './backup-format.ts';
import { BackupReader, verifyBackup } from './backup-reader.ts';
import { storedPartitions } from './backup-tables.ts';
import { dropEmptySchema } from './empty-schema.ts';

/**
 * Fills an empty database from a backup and brings its schema to the newest version.
 *
 * All or nothing: a damaged file, a backup from a newer version or a database that already has content is rejected with a
 * BackupError or SchemaError, and nothing changes.
 */
export async function restore(
  database: Database,
  file: string,
  options: {
    /** Called while the file is read for the first time, to detect damage before anything is changed. */
    onCheck?: (bytesDone: number, bytesTotal: number) => void;
    onProgress?: Progress;
    migrations?: Migration[];
  } = {},
): Promise<{ rows: number; schemaVersion: number }> {
  const { onCheck = () => {}, onProgress = () => {}, migrations = await readMigrations() } = options;
  const assertFits = ({ migrations: applied }: BackupHeader) => assertDescends(applied, migrations, 'backup');
  const { header, rows } = await verifyBackup(file, assertFits, onCheck);
  await database.transaction(
    async (tx) => {
      await lockSchema(tx);
      await dropEmptySchema(tx, migrations);
      await createSchema(tx, migrations.slice(0, header.migrations.length));
      await createPartitions(tx, header);
      const addForeignKeys = await dropForeignKeys(tx);
      await copyTables(tx, file, (table, done) => onProgress(table, done, rows[table] ?? 0));
      await addForeignKeys();
      for (const { name, last_value, is_called } of header.sequences) {
        await tx`select setval(${name}::regclass, ${last_value}::int8, ${is_called})`;
      }
    },
    { isLong: true },
  );
  await migrate(database, migrations);
  if (options.migrations === undefined) await buildIndexes(database, backgroundIndexes);
  await database.transaction((tx) => tx`analyze`, { isLong: true });
  return {
    rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
    schemaVersion: migrations.length,
  };
}

/** Creates the partitions that the server added at run time, beyond those of the migrations. */
async function createPartitions(tx: Tx, header: BackupHeader): Promise<void> {
  const existing = new Set((await storedPartitions(tx)).map(({ name }) => name));
  for (const { parent, name, bound } of header.partitions) {
    if (existing.has(name)) continue;
    await tx`create table ${tx(name)} partition of ${tx(parent)} ${tx.unsafe(bound)}`;
  }
}

/** Drops the foreign keys so that tables can be filled in any order; returns a function that adds them back, checking all rows. */
async function dropForeignKeys(tx: Tx): Promise<() => Promise<void>> {
  const keys = await tx<{ name: string; table: string; definition: string }[]>`
    select conname as name, relname as table, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and conparentid = 0 and relnamespace = current_schema()::regnamespace
    order by relname, conname`;
  for (const { name, table } of keys) await tx`alter table ${tx(table)} drop constraint ${tx(name)}`;
  return async () => {
    for (const { name, table, definition } of keys) {
      await tx`alter table ${tx(table)} add constraint ${tx(name)} ${tx.unsafe(definition)}`.catch(
        rethrowFor(`the rows of the table ${table}`),
      );
    }
  };
}

async function copyTables(
  tx: Tx,
  file: string,
  onRows: (table: string, done: number) => void,
): Promise<void> {
  const reader = new BackupReader(file);
  const textOf = async function* (table: string) {
    for await (const { text, rowsDone } of reader.rows(table)) {
      yield text;
      onRows(table, rowsDone);
    }
  };
  try {
    const { tables } = await reader.header();
    // The backup contains the counts, so triggers that count rows must not count them again.
    await tx`select set_config('postil.restoring', 'on', true)`;
    for (const { name, columns } of tables) {
      await tx`delete from ${tx(name)}`.catch(rethrowFor(`the table ${name}`)); // rows inserted by migrations
      await copyIn(tx, name, columns, textOf(name)).catch(rethrowFor(`the rows of the table ${name}`));
    }
    await reader.finish();
  } finally {
    await reader.close();
  }
}

/** Reports PostgreSQL's error about the content of the backup. */
function rethrowFor(what: string): (error: unknown) => never {
  return (error) => {
    if (isUnavailable(error) || error instanceof BackupError) throw error;
    throw new BackupError(`PostgreSQL does not accept ${what} in the backup: ${(error as Error).message}.`);
  };
}
