import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionTarget, type Database, openDatabase } from '../src/db/database.ts';
import { errorCode } from '../src/db/driver/unavailable.ts';
import { patience } from './patience.ts';
import { startTestPostgres, TEMPLATE, TEST_DATABASE_VARIABLE, withDatabase } from './template-database.ts';

/** A migrated database for a single test or file. */
export interface TestDatabase {
  readonly database: Database;
  readonly target: ConnectionTarget;
  /** Closes and removes it. */
  drop(): Promise<void>;
}

/** The URL of a database, as in DATABASE_URL. */
export function urlOf(target: ConnectionTarget): string {
  if ('url' in target) return target.url;
  const { user, socketDirectory, port, database } = target;
  return `postgres://${user}@${encodeURIComponent(socketDirectory)}:${port}/${database}`;
}

/** PostgreSQL's error while another session is connected to the template. */
const SOURCE_IN_USE = '55006';

let server: Promise<ConnectionTarget> | undefined;
let serverStopped = false;

/** The server of the test run; a test file that runs alone starts one, which ends with the process. */
function testServer(): Promise<ConnectionTarget> {
  const given = process.env[TEST_DATABASE_VARIABLE];
  server ??= given ? Promise.resolve(JSON.parse(given) as ConnectionTarget) : startOwnServer();
  return server;
}

async function startOwnServer(): Promise<ConnectionTarget> {
  const postgres = await startTestPostgres();
  process.once('beforeExit', () => {
    serverStopped = true;
    void postgres.stop();
  });
  return postgres.target;
}

/** Creates a database for a test file or a test; an empty one has no tables at all. */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const target = await testServer();
  const name = `postil_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(target, (sql) => createDatabase(sql, name, options.empty ? 'template0' : TEMPLATE));
  const own = withDatabase(target, name);
  const database = openDatabase(own, { maxConnections: 8, ...patience });
  return {
    database,
    target: own,
    async drop() {
      await database.close();
      if (!serverStopped) await onServer(target, (sql) => sql`drop database ${sql(name)} with (force)`);
    },
  };
}

async function onServer(
  target: ConnectionTarget,
  work: (sql: Database['sql']) => Promise<unknown>,
): Promise<void> {
  const { sql, close } = openDatabase(target, { maxConnections: 2, ...patience });
  await work(sql).finally(close);
}

async function createDatabase(sql: Database['sql'], name: string, template: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql`create database ${sql(name)} template ${sql(template)} encoding 'UTF8' strategy file_copy`;
      return;
    } catch (error) {
      if (errorCode(error) !== SOURCE_IN_USE || attempt === 600) throw error;
      await sleep(100);
    }
  }
}
