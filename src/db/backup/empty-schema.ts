import type { Tx } from '../database.ts';
import { appliedMigrations, assertDescends, createSchema } from '../schema/migrate.ts';
import type { Migration } from '../schema/migrations.ts';
import { BackupError } from './backup-format.ts';

/** More rows than any migration inserts. */
const COUNT_LIMIT = 10_000;

/**
 * Drops our schema if it has no more rows than the migrations themselves insert; throws a BackupError if it has, or if
 * there are tables that are not ours. The error must roll back the caller's transaction.
 */
export async function dropEmptySchema(tx: Tx, migrations: Migration[]): Promise<void> {
  const applied = await appliedMigrations(tx);
  if (applied.length === 0) return;
  assertDescends(applied, migrations, 'database');
  const found = await countRows(tx);
  await dropEverything(tx);
  // A fresh schema shows what an empty one looks like. If ours differs, the rollback restores it.
  await createSchema(tx, migrations.slice(0, applied.length));
  const fresh = await countRows(tx);
  for (const [table, rows] of found) {
    const expected = fresh.get(table);
    if (expected === undefined) {
      throw new BackupError(
        `The database is not used by Postil alone: it has a table ${table} that Postil does not know.`,
      );
    }
    if (rows > expected) {
      throw new BackupError(`The database is not empty (see the table ${table}); restore into a new one.`);
    }
  }
  await dropEverything(tx);
}

async function countRows(tx: Tx): Promise<Map<string, number>> {
  const tables = await tx<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and relpersistence = 'p' order by relname`;
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    await tx`lock table ${tx(name)} in access exclusive mode`;
    const [row] = await tx<{ count: number }[]>`
      select count(*) as count from (select from ${tx(name)} limit ${COUNT_LIMIT}) as first_rows`;
    counts.set(name, row?.count ?? 0);
  }
  return counts;
}

async function dropEverything(tx: Tx): Promise<void> {
  const objects = await tx<{ kind: string; name: string }[]>`
    select case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end
      as kind, oid::regclass::text as name, relkind = 'S' as last
    from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
    union all
    select 'type', oid::regtype::text, true
    from pg_type where typnamespace = current_schema()::regnamespace and typtype in ('e', 'd')
    union all
    select 'routine', oid::regprocedure::text, true
    from pg_proc where pronamespace = current_schema()::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    order by last`;
  for (const { kind, name } of objects) await tx.unsafe(`drop ${kind} if exists ${name} cascade`);
}
