import type { Database } from '../../src/db/database.ts';

/**
 * Has triggers record every written row and every queued unit of work, and returns a function that tells what changed since its
 * last call. A row that is added and deleted, or changed and changed back, counts as unchanged. Times of last use do not count:
 * they change for every caller, and for keys some seconds later.
 */
export async function watchWrites({ sql }: Database): Promise<() => Promise<string[]>> {
  await sql.unsafe(`
    CREATE UNLOGGED TABLE fuzz_writes (name text NOT NULL, row_digest text NOT NULL, change int NOT NULL);
    CREATE FUNCTION fuzz_note() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE uncounted text[] := ARRAY['last_used_at', 'last_seen_at'];
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          INSERT INTO public.fuzz_writes VALUES (TG_TABLE_NAME, md5((to_jsonb(OLD) - uncounted)::text), -1);
        END IF;
        IF TG_OP <> 'DELETE' THEN
          INSERT INTO public.fuzz_writes VALUES (TG_TABLE_NAME, md5((to_jsonb(NEW) - uncounted)::text), 1);
        END IF;
        RETURN NULL;
      END $$;
    DO $$
      DECLARE watched regclass;
      BEGIN
        FOR watched IN SELECT oid FROM pg_class
          WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
            AND relname NOT IN ('rate_limit_windows', 'fuzz_writes')
        LOOP
          EXECUTE format('CREATE TRIGGER fuzz AFTER INSERT OR UPDATE OR DELETE ON %s
            FOR EACH ROW EXECUTE FUNCTION fuzz_note()', watched);
        END LOOP;
        CREATE TRIGGER fuzz AFTER INSERT ON work.job FOR EACH ROW EXECUTE FUNCTION fuzz_note();
      END $$`);
  /** The tables with changed rows since the last call. It also resets the rate limits, which are not tested here. */
  return async () => {
    const rows = await sql<{ name: string }[]>`
      WITH limits AS (DELETE FROM rate_limit_windows),
        written AS (DELETE FROM fuzz_writes RETURNING name, row_digest, change),
        changed AS (SELECT name FROM written GROUP BY name, row_digest HAVING sum(change) <> 0)
      SELECT DISTINCT name FROM changed ORDER BY name`;
    return rows.map(({ name }) => name);
  };
}
