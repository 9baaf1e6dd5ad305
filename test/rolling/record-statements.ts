// Records the statements of this version, which the next version checks its schema with: `npm run record-statements`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { schemaVersion } from '../../src/db/schema/migrate.ts';
import { createTestDatabase } from '../postgres.ts';
import { removeFolder } from '../remove-folder.ts';
import { TEST_DATABASE_VARIABLE, withDatabase } from '../template-database.ts';
import { type FormerStatements, fixture, prepare } from './former-statements.ts';
import { type SentStatement, startRecordingProxy } from './recording-proxy.ts';

const root = path.join(import.meta.dirname, '../..');
/** Tests that together cover the whole product. */
const recorded = [
  'test/api-examples/api-examples.test.ts',
  'test/dashboard-access.test.ts',
  'src/capabilities/connections/syncing/syncing.test.ts',
  'src/capabilities/dashboard-session/sign-in/sign-in.test.ts',
  'src/capabilities/insights/insights.test.ts',
  'src/capabilities/intake/forget-events.test.ts',
  'src/capabilities/review-metrics/lists/list-review-comments.test.ts',
  'src/capabilities/review-metrics/lists/list-reviewed-pull-requests.test.ts',
  'src/capabilities/review-metrics/storage/move-metrics.test.ts',
  'src/capabilities/reviews/reviewed-pull-requests/pull-request-runs.test.ts',
  'src/capabilities/webhooks/delivery/delivery.test.ts',
];

/** Whether a statement uses the product's own tables, unlike those of tests and the queue. */
const isOfProduct = ({ text }: SentStatement) =>
  /^\s*(select|insert|update|delete|with)\b/i.test(text) &&
  !/pgboss|pg_catalog|pg_stat|postil_test/i.test(text);

const directory = await mkdtemp(path.join(tmpdir(), 'postil-record-'));
const postgres = await startEmbeddedPostgres({ directory, durable: false });
const found = new Map<string, SentStatement>();
const proxy = await startRecordingProxy(postgres.target.socketDirectory, (statement) => {
  if (isOfProduct(statement)) found.set(JSON.stringify(statement), statement);
});
try {
  const child = spawn(process.execPath, [path.join(root, 'test/run.ts'), ...recorded], {
    env: { ...process.env, TEST_DATABASE_URL: proxy.url },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the tests that were to be recorded failed');
  process.env[TEST_DATABASE_VARIABLE] = JSON.stringify(withDatabase(postgres.target, 'postgres'));
  const own = await createTestDatabase();
  const statements: SentStatement[] = [];
  // Invalid statements come from tests that change the schema.
  for (const statement of found.values())
    if ((await prepare(own.database, statement)) === undefined) statements.push(statement);
  const version = await schemaVersion(own.database.sql);
  await own.drop();
  statements.sort((one, other) => (one.text < other.text ? -1 : 1));
  const written: FormerStatements = { schema_version: version, statements };
  await writeFile(fixture, `${JSON.stringify(written, null, 1)}\n`);
  process.stdout.write(`${statements.length} of ${found.size} statements recorded\n`);
} finally {
  await proxy.close();
  await postgres.stop();
  await removeFolder(directory);
}
