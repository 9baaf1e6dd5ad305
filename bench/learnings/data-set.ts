import { randomUUID } from 'node:crypto';
import { encodeVectors } from '../../src/capabilities/learnings/embedding/vectors/vector-codec.ts';
import type { Sql } from '../../src/db/database.ts';
import type { Repository } from './bench-app.ts';
import { embedWords } from './word-vectors.ts';

const syllables = 'ba ker li mon ta ru ses vo ni del fa go hu pri quo zem'.split(' ');
const vocabulary = Array.from({ length: 4000 }, (_, index) =>
  [index >> 8, index >> 4, index].map((number) => syllables[number & 15]).join(''),
);
const rowsPerStatement = 2000;
/** The maximum that one request can create, which adds one version of the index. */
const rowsPerVersion = 100;

/** 18 words; the same seed makes the same sentence. */
export function sentence(seed: number): string {
  return Array.from({ length: 18 }, (_, index) => vocabulary[(seed * 7919 + index * index * 31) % 4000]).join(
    ' ',
  );
}

/** A Learning as both sides of a comparison store it. */
export interface SampleLearning {
  readonly id: string;
  readonly learning: string;
  /** The version of the repository's index that added it. */
  readonly version: number;
}

/** That many Learnings, in groups that fit in a statement. */
export function* sampleLearnings(repository: Repository, count: number): Generator<SampleLearning[]> {
  for (let start = 0; start < count; start += rowsPerStatement) {
    yield Array.from({ length: Math.min(rowsPerStatement, count - start) }, (_, index) => ({
      id: randomUUID(),
      learning: `${sentence(start + index)} #${repository}-${start + index}`,
      version: 1 + Math.floor((start + index) / rowsPerVersion),
    }));
  }
}

/** Stores Learnings in a repository of the database; with vectors if an embedder is named. */
export async function fill(sql: Sql, repository: Repository, count: number, embedderId: string | null) {
  for (const learnings of sampleLearnings(repository, count)) {
    const rows = learnings.map((sample) => ({
      ...sample,
      vectors: embedderId === null ? null : encodeVectors([embedWords(sample.learning)]).toString('hex'),
    }));
    await sql`
      WITH given AS (SELECT * FROM jsonb_to_recordset(${sql.json(rows)}) AS g (id uuid, learning text, version int8, vectors text)),
      stored AS (
        INSERT INTO learnings (organization_id, id, repository_id, learning, content_hash, author_id, origin, visibility,
          pull_requests, approval, redactor_version, created_at, updated_at, usage_count, index_due_at, index_version, embedder_id)
        SELECT r.organization_id, g.id, r.id, g.learning, sha256(g.learning::bytea), '1', 'api', 'shared', '{}', 'approved', 1,
          now(), now(), 0, now() + interval '1 day', g.version, ${embedderId}
        FROM given g, repositories r WHERE r.name = ${repository} RETURNING organization_id, id)
      INSERT INTO learning_vectors SELECT s.organization_id, s.id, decode(g.vectors, 'hex')
      FROM stored s JOIN given g USING (id) WHERE g.vectors IS NOT NULL`;
  }
  await sql`
    INSERT INTO learning_index_versions SELECT organization_id, id, ${Math.ceil(count / rowsPerVersion)} FROM repositories WHERE name = ${repository}
    ON CONFLICT DO NOTHING`;
  await sql`VACUUM ANALYZE learnings, learning_vectors`;
}
