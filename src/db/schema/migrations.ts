import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The database schema does not match this version of Postil; the message is one sentence for the operator. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** One numbered step of the schema. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

const FOLDER = path.join(import.meta.dirname, 'migrations');
const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/;

/** The migrations in a folder of files named like `0001_organizations.sql`, in order. */
export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => !file.startsWith('.')).sort();
  const migrations = await Promise.all(
    files.map(async (file) => {
      const [, version, name] = FILE_NAME.exec(file) ?? [];
      if (!version || !name)
        throw new SchemaError(`The migration file ${file} is not named like 0001_name.sql.`);
      return { version: Number(version), name, sql: await readFile(path.join(folder, file), 'utf8') };
    }),
  );
  for (const [index, { version, name }] of migrations.entries()) {
    if (version !== index + 1)
      throw new SchemaError(`Migration ${version} (${name}) should be number ${index + 1}.`);
  }
  return migrations;
}

const CONTRACTING = /^-- contracting: needs nodes of schema version (\d+)$/m;

/**
 * The oldest schema version whose nodes can work with the schema after this migration: 0 if it only adds to the schema. A
 * migration that removes something declares, in a line of its own, the oldest version that does not use it (ADR 0017).
 */
export function oldestNodeAfter({ sql }: Migration): number {
  return Number(CONTRACTING.exec(sql)?.[1] ?? 0);
}

/** The newest schema version among migrations; 0 if there are none. */
export function newestVersion(migrations: Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/** Identifies the text of a migration, ignoring line endings, which depend on how it was checked out. */
export function checksumOf(migration: Migration): string {
  return createHash('sha256').update(migration.sql.replaceAll('\r\n', '\n')).digest('hex');
}
