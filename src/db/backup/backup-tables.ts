import type { Db } from '../database.ts';
import type { BackupHeader } from './backup-format.ts';

/** A table whose rows belong in a backup. */
export interface StoredTable {
  name: string;
  columns: string[];
  estimatedRows: number;
}

/** The tables with permanent content: no unlogged ones, no partitions (their parent has the rows), not the list of migrations. */
export async function storedTables(db: Db): Promise<StoredTable[]> {
  return await db<StoredTable[]>`
    select relname as name,
      (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      coalesce((select sum(greatest(leaf.reltuples, 0)) from pg_partition_tree(c.oid) join pg_class leaf
        on leaf.oid = relid and isleaf), greatest(reltuples, 0))::float8 as "estimatedRows"
    from pg_class c
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relpersistence = 'p'
      and not relispartition and relname <> 'schema_migrations'
    order by relname collate "C"`;
}

/** The partitions with their bounds, parents first. */
export async function storedPartitions(db: Db): Promise<BackupHeader['partitions']> {
  return await db<BackupHeader['partitions']>`
    with recursive partitions as (
      select oid, 0 as depth from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'p' and not relispartition
      union all
      select inhrelid, depth + 1 from partitions join pg_inherits on inhparent = partitions.oid
    )
    select inhparent::regclass::text as parent, relname as name, pg_get_expr(relpartbound, c.oid) as bound
    from partitions join pg_class c using (oid) join pg_inherits on inhrelid = c.oid
    where depth > 0 and relkind = 'r' order by depth, relname collate "C"`;
}

/** The current values of the sequences. */
export async function storedSequences(db: Db): Promise<BackupHeader['sequences']> {
  const names = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname collate "C"`;
  const sequences: BackupHeader['sequences'] = [];
  for (const { name } of names) {
    const [state] = await db<{ last_value: string; is_called: boolean }[]>`
      select last_value::text, is_called from ${db(name)}`;
    if (state) sequences.push({ name, ...state });
  }
  return sequences;
}
