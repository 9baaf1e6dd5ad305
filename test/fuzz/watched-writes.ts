import type { Database } from '../../src/db/database.ts';

/** What the server notes about callers themselves, whatever they asked for. */
const bookkeeping = ['rate_limit_windows', 'fuzz_writes'];

/** Has the database note every row that is written, so that a single request can be asked what it changed. */
export async function watchWrites({ sql }: Database): Promise<() => Promise<string[]>> {
  await sql.unsafe(`
    CREATE UNLOGGED TABLE fuzz_writes (name text NOT NULL);
    CREATE FUNCTION fuzz_note() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO public.fuzz_writes VALUES (TG_TABLE_NAME); RETURN NULL; END $$;
    DO $$
      DECLARE watched regclass;
      BEGIN
        FOR watched IN SELECT oid FROM pg_class
          WHERE relkind = 'r' AND relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'pgboss'))
            AND relname <> ALL (ARRAY[${bookkeeping.map((name) => `'${name}'`).join(', ')}])
        LOOP
          EXECUTE format('CREATE TRIGGER fuzz AFTER INSERT OR UPDATE OR DELETE ON %s
            FOR EACH ROW EXECUTE FUNCTION fuzz_note()', watched);
        END LOOP;
      END $$`);
  /** The tables that were written since it was last asked; it also resets the rate limits, which are not the subject. */
  return async () => {
    const rows = await sql<{ name: string }[]>`
      WITH limits AS (DELETE FROM rate_limit_windows), written AS (DELETE FROM fuzz_writes RETURNING name)
      SELECT DISTINCT name FROM written ORDER BY name`;
    return rows.map(({ name }) => name);
  };
}
