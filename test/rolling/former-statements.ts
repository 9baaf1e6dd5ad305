import path from 'node:path';
import type { Database } from '../../src/db/database.ts';
import type { SentStatement } from './recording-proxy.ts';

/** The statements of the previous version, recorded with its tests. */
export interface FormerStatements {
  readonly schema_version: number;
  readonly statements: readonly SentStatement[];
}

export const fixture = path.join(import.meta.dirname, 'former-statements.json');

/** Validates a statement against the schema in PostgreSQL, without running it; returns the error, or undefined if it is valid. */
export async function prepare(
  { transaction }: Database,
  { text, types }: SentStatement,
): Promise<string | undefined> {
  const named = types.map((oid) => (oid === 0 ? 'unknown' : `${oid}`));
  return await transaction(async (tx) => {
    const rows =
      named.length === 0
        ? []
        : await tx<{ name: string }[]>`
      select case oid when 'unknown' then 'unknown' else format_type(oid::oid, null) end as name
      from unnest(${named}::text[]) with ordinality as t (oid, place) order by place`;
    const list = rows.length === 0 ? '' : ` (${rows.map(({ name }) => name).join(', ')})`;
    await tx.unsafe(`prepare checked${list} as ${text}`);
    await tx.unsafe('deallocate checked');
    return undefined;
  }).catch((error: Error) => error.message);
}
