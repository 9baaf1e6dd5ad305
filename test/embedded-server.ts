import { openDatabase } from '../src/db/database.ts';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';

/**
 * A process that runs PostgreSQL on the data folder in its argument, for tests that kill it. It keeps writing rows and prints the
 * number of each when it is committed. It prints an error as one sentence and exits with 1.
 */
const [directory = '', mode] = process.argv.slice(2);
try {
  const postgres = await startEmbeddedPostgres({ directory, durable: mode === 'durable' });
  if (mode === 'forget') process.exit(0);
  const { sql } = openDatabase(postgres.target);
  await sql`create table if not exists numbers (number int primary key)`;
  for (let number = 1; ; number++) {
    await sql`insert into numbers values (${number}) on conflict do nothing`;
    process.stdout.write(`${number}\n`);
  }
} catch (error) {
  if (!(error instanceof EmbeddedPostgresError)) throw error;
  process.stdout.write(`${error.name}: ${error.message}\n`);
  process.exitCode = 1;
}
