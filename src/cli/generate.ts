import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { assemble } from '../assemble.ts';
import { openDatabase } from '../db/database.ts';
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts';
import { backgroundIndexes } from '../db/schema/indexes/background-indexes.ts';
import { buildIndexes } from '../db/schema/indexes/build-indexes.ts';
import { migrate } from '../db/schema/migrate.ts';
import { dumpSchema } from '../db/schema/schema-dump.ts';
import { createCursorCodec } from '../http/cursor.ts';
import { openApiDocument } from '../http/openapi/document.ts';
import { MetricsRegistry } from '../lib/metrics.ts';
import { rulePages } from '../reviewer/rules/pages/rule-pages.ts';
import { endOnSignals } from '../stop-signals.ts';

/** The contents of openapi.json for the endpoints as declared; needs no database. */
export function generateOpenApi(): string {
  const unused = { database: {} } as Parameters<typeof assemble>[0];
  const registry = new MetricsRegistry();
  const deps = { ...unused, registry, settings: { metricsPerMinute: 60, apiKeyHeaderAliases: [] } };
  const { endpoints } = assemble(deps, createCursorCodec(Buffer.alloc(32)), async () => '');
  return `${JSON.stringify(openApiDocument(endpoints), null, 2)}\n`;
}

async function generateSchema(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'postil-schema-'));
  const postgres = await startEmbeddedPostgres({ directory, durable: false });
  const database = openDatabase(postgres.target, { maxConnections: 2 });
  try {
    await migrate(database);
    await buildIndexes(database, backgroundIndexes);
    return await dumpSchema(database.sql);
  } finally {
    await database.close();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Generates the types of the SDK. The generator needs an older TypeScript than the server, so it is installed in the SDK's
 * folder on first use.
 */
async function generateSdk(folder: string): Promise<void> {
  const npm = (...given: string[]) => promisify(execFile)('npm', given, { cwd: folder });
  if (!existsSync(path.join(folder, 'node_modules', 'openapi-typescript'))) await npm('ci');
  await npm('run', 'generate');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  endOnSignals();
  const root = path.join(import.meta.dirname, '../..');
  await writeFile(path.join(root, 'openapi.json'), generateOpenApi());
  await writeFile(path.join(root, 'src/db/schema/schema.sql'), await generateSchema());
  for (const [name, text] of rulePages()) await writeFile(path.join(root, 'docs/rules', name), text);
  await generateSdk(path.join(root, 'sdk/typescript'));
}
