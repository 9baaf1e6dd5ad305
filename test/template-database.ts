import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ConnectionTarget, openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { backgroundIndexes } from '../src/db/schema/indexes/background-indexes.ts';
import { buildIndexes } from '../src/db/schema/indexes/build-indexes.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { patience } from './patience.ts';
import { removeFolder } from './remove-folder.ts';

/** The environment variable with the target of the test databases. */
export const TEST_DATABASE_VARIABLE = 'POSTIL_TEST_DATABASE';

export const TEMPLATE = 'postil_template';

/** A PostgreSQL for tests, with a migrated template database in it. */
export interface TestPostgres {
  /** The target of its maintenance database. */
  readonly target: ConnectionTarget;
  stop(): Promise<void>;
}

/** The target of another database on the same server. */
export function withDatabase(target: ConnectionTarget, database: string): ConnectionTarget {
  if (!('url' in target)) return { ...target, database };
  return { url: target.url.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`) };
}

/** Uses the server in TEST_DATABASE_URL, or starts one in a folder for temporary files, and fills the template. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const { TEST_DATABASE_URL: url } = process.env;
  const postgres = url ? { target: { url }, stop: async () => {} } : await startTemporaryPostgres();
  try {
    await createTemplate(postgres.target);
    return postgres;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function startTemporaryPostgres(): Promise<TestPostgres> {
  const directory = await mkdtemp(path.join(tmpdir(), 'postil-test-'));
  try {
    const embedded = await startEmbeddedPostgres({ directory, durable: false });
    return {
      target: withDatabase(embedded.target, 'postgres'),
      async stop() {
        await embedded.stop();
        await removeFolder(directory);
      },
    };
  } catch (error) {
    await removeFolder(directory);
    throw error;
  }
}

async function createTemplate(target: ConnectionTarget): Promise<void> {
  const server = openDatabase(target, { maxConnections: 2, ...patience });
  const template = openDatabase(withDatabase(target, TEMPLATE), { maxConnections: 2, ...patience });
  try {
    await server.sql`alter database postil_template is_template false`.catch(() => {});
    await server.sql`drop database if exists postil_template with (force)`;
    await server.sql`create database postil_template template template0 encoding 'UTF8'`;
    await migrate(template);
    await buildIndexes(template, backgroundIndexes);
    await template.close();
    await server.sql`alter database postil_template is_template true allow_connections false`;
  } finally {
    await Promise.all([template.close(), server.close()]);
  }
}
