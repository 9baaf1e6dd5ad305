import type { Database } from '../../src/db/database.ts';

/**
 * Has the database note every row that is written and every unit of work that is queued, so that a single request can be asked
 * what it changed. When somebody was last there does not count: it is noted of every caller, and of keys some seconds later.
 */
export async function watchWrites({ sql }: Database): Promise<() => Promise<string[]>> {
  await sql.unsafe(`
    CREATE UNLOGGED TABLE fuzz_writes (name text NOT NULL);
    CREATE FUNCTION fuzz_note() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE uncounted text[] := ARRAY['last_used_at', 'last_seen_at'];
      BEGIN
        IF TG_OP <> 'UPDATE' OR to_jsonb(OLD) - uncounted IS DISTINCT FROM to_jsonb(NEW) - uncounted THEN
          INSERT INTO public.fuzz_writes VALUES (TG_TABLE_NAME);
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
  /** The tables that were written since it was last asked; it also resets the rate limits, which are not the subject. */
  return async () => {
    const rows = await sql<{ name: string }[]>`
      WITH limits AS (DELETE FROM rate_limit_windows), written AS (DELETE FROM fuzz_writes RETURNING name)
      SELECT DISTINCT name FROM written ORDER BY name`;
    return rows.map(({ name }) => name);
  };
}
