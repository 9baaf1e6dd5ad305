import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openDatabase } from '../../src/db/database.ts';
import { startProcess } from '../metrics/server-process.ts';
import { installPeers } from '../peers/install.ts';
import { sampleLearnings } from './data-set.ts';
import { dimensions, embedWords } from './word-vectors.ts';

const organizationId = '00000000-0000-4000-8000-000000000001';
const repositoryIds = {
  search: '00000000-0000-4000-8000-000000000002',
  large: '00000000-0000-4000-8000-000000000003',
} as const;

/** How the peer matches words: all words of the query, as in pgvector's documentation, or any of them, as we do. */
export const wordModes = ['all_words', 'any_word'] as const;
export type WordMode = (typeof wordModes)[number];

/** A server that searches with pgvector. */
export interface PgvectorPeer {
  /** Stores the Learnings that `fill` would store in a repository. */
  fill(repository: keyof typeof repositoryIds, count: number): Promise<void>;
  search(repository: keyof typeof repositoryIds, mode: WordMode, query: string): Promise<void>;
  readonly version: string;
  stop(): Promise<void>;
}

/** Starts the peer on a database that has pgvector; it uses a schema of its own, which it drops at the end. */
export async function startPgvector(url: string): Promise<PgvectorPeer> {
  const peers = await installPeers();
  if (peers === undefined) throw new Error('the peer could not be installed');
  const database = openDatabase({ url }, { timeouts: { statementMs: 10 * 60_000 } });
  const { sql } = database;
  await sql`CREATE EXTENSION IF NOT EXISTS vector`;
  await sql`DROP SCHEMA IF EXISTS postil_bench CASCADE`;
  await sql`CREATE SCHEMA postil_bench`;
  // Vectors are stored in the rows, as pgvector recommends: otherwise the planner underestimates the amount of data to read.
  await sql.unsafe(`
    CREATE TABLE postil_bench.learnings (id uuid PRIMARY KEY, organization_id uuid NOT NULL, repository_id uuid NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(), embedding vector(${dimensions}) STORAGE PLAIN NOT NULL, learning text NOT NULL,
      words tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('english', learning)) STORED)`);
  await sql`CREATE INDEX ON postil_bench.learnings (organization_id, repository_id)`;
  await sql`CREATE INDEX ON postil_bench.learnings USING gin (words)`;
  const [row] = await sql<{ version: string }[]>`
    SELECT 'pgvector ' || extversion || ', PostgreSQL ' || current_setting('server_version') AS version
    FROM pg_extension WHERE extname = 'vector'`;
  const server = await startProcess(peers.vectorSearch, {
    DATABASE_URL: url,
    EMBEDDER_MODULE: pathToFileURL(path.join(import.meta.dirname, 'word-vectors.ts')).href,
  });
  return {
    version: row!.version,
    async fill(repository, count) {
      for (const learnings of sampleLearnings(repository, count)) {
        const rows = learnings.map(({ id, learning }) => ({
          id,
          learning,
          embedding: `[${embedWords(learning).join()}]`,
        }));
        await sql`
          INSERT INTO postil_bench.learnings (id, organization_id, repository_id, embedding, learning)
          SELECT g.id, ${organizationId}::uuid, ${repositoryIds[repository]}::uuid, g.embedding::vector, g.learning
          FROM jsonb_to_recordset(${sql.json(rows)}) AS g (id uuid, embedding text, learning text)`;
      }
      await sql`VACUUM ANALYZE postil_bench.learnings`;
    },
    async search(repository, mode, query) {
      const body = {
        organization_id: organizationId,
        repository_id: repositoryIds[repository],
        query,
        limit: 10,
      };
      const response = await fetch(`${server.url}/${mode}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const answer = await response.text();
      const { data } = JSON.parse(answer) as { data?: unknown[] };
      if (data?.length !== 10) throw new Error(`the peer did not find 10 Learnings: ${answer}`);
    },
    async stop() {
      await server.stop();
      await sql`DROP SCHEMA postil_bench CASCADE`;
      await database.close();
      await peers.remove();
    },
  };
}
