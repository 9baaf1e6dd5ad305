import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { countRowsRead, startLargePlatform } from '../../../../test/large-platform.ts';
import { createDeterministicEmbedder } from '../embedding/deterministic-embedder.ts';
import { encodeVectors } from '../embedding/vectors/vector-codec.ts';
import { compareLearningsSchedule } from '../likeness/compare-learnings.ts';
import { IndexCache } from '../search/index-cache.ts';
import { searchUsage, type UsagePosition, type UsageSearch } from './search-usage.ts';
import { summariseUsage } from './summarise-usage.ts';

const [learningCount, citingCount, limit] = [5_000, 5_000, 50];
const { server, caller } = await startLargePlatform(1);
const { sql } = server.database;
const embedder = createDeterministicEmbedder();
after(() => embedder.close());
/** Unrelated vectors, except that every hundredth equals the one before. */
const vectors = Array.from({ length: learningCount }, (_, index) => {
  const seed = index % 100 === 1 ? index - 1 : index;
  const values = Float32Array.from({ length: 32 }, (_, place) => {
    const digest = Math.sin((seed + 1) * 12.9898 + place * 78.233) * 43_758.5453;
    return digest - Math.floor(digest) - 0.5;
  });
  const length = Math.hypot(...values);
  return encodeVectors([values.map((value) => value / length)]).toString('hex');
});
await sql`
  INSERT INTO learnings (organization_id, id, repository_id, learning, content_hash, author_id, origin, visibility, pull_requests,
    approval, redactor_version, created_at, updated_at, usage_count, embedder_id, index_due_at, index_version)
  SELECT r.organization_id, gen_random_uuid(), r.id, 'Thing' || n / 100 || ' has part' || n, decode(md5(n::text), 'hex'), '9001', 'api',
    'shared', '{}', 'approved', 1, now() - n * interval '1 hour', now(), 0, ${embedder.id}, now(), n / 50 + 1
  FROM repositories r, generate_series(0, ${learningCount - 1}::int) AS n`;
await sql`
  INSERT INTO learning_vectors (organization_id, learning_id, vectors)
  SELECT l.organization_id, l.id, decode(v.hex, 'hex')
  FROM unnest(${vectors}::text[]) WITH ORDINALITY AS v (hex, n) JOIN learnings l ON l.content_hash = decode(md5((v.n - 1)::text), 'hex')`;
await sql`
  INSERT INTO learning_index_versions (organization_id, repository_id, version)
  SELECT organization_id, id, ${learningCount} / 50 + 1 FROM repositories`;
await sql`
  INSERT INTO reviewed_pull_requests (organization_id, repository_id, number, url, state, is_draft, head_revision, facts, read_at)
  SELECT organization_id, id, 7, 'https://git.test/7', 'open', false, 'r', '{}', now() FROM repositories`;
await sql`
  INSERT INTO review_findings (organization_id, repository_id, pull_request, finding_id, kind, lineage, quote, path, side,
    head_revision, in_diff, severity, category, title, body, source_kind, source_name, learning_ids, state, accepted,
    first_run_id, last_run_id, created_at, updated_at)
  SELECT l.organization_id, l.repository_id, 7, l.id::text, 'k', 'l', 'q', 'p', 'new', 'r', true, 'minor', 'c', 't', 'b', 'model',
    'm', ARRAY[l.id::text], 'open', n % 2 = 0, gen_random_uuid(), gen_random_uuid(), now(), now()
  FROM (SELECT *, row_number() OVER (PARTITION BY organization_id) AS n FROM learnings) AS l WHERE n <= ${citingCount}`;
await sql`ANALYZE learnings`;
await sql`ANALYZE review_findings`;

const context = { ...caller, now: server.now };
const plain: UsageSearch = {
  search: undefined,
  repositoryId: undefined,
  health: undefined,
  sort: '-created',
};

test('a page reads what it shows and the comments that cite it, not all Learnings and comments', async () => {
  let after: UsagePosition | undefined;
  for (let pages = 0; pages < 3; pages += 1) {
    const { result, read } = await countRowsRead(
      server.database,
      'page AS MATERIALIZED',
      ['learnings', 'review_findings'],
      (database) => searchUsage({ database }, context, plain, { after, limit }),
    );
    assert.equal(result.data.length, limit);
    assert.deepEqual([result.data[0]!.followed + result.data[0]!.contradicted], [1]);
    assert.ok(read < 6 * (limit + 1), `${read} rows`);
    after = result.next!;
  }
});

test('what changed is compared with all others, and those alike are counted in the own organization only', async () => {
  await sql`UPDATE learning_index_versions SET compared_version = version - 5`;
  const indexCache = new IndexCache({ database: server.database, embedder });
  const schedule = compareLearningsSchedule({ database: server.database, embedder, indexCache });
  const isLeft = async () =>
    (await sql`SELECT FROM learning_index_versions WHERE version > compared_version`).length > 0;
  // A run of the schedule handles only a part.
  while (await isLeft()) await schedule.run(new AbortController().signal);
  const summary = await summariseUsage(server, context);
  assert.deepEqual([summary.total, summary.duplicate], [learningCount, 4]);
  const { data } = await searchUsage(
    server,
    context,
    { ...plain, health: 'duplicate' },
    { after: undefined, limit },
  );
  assert.ok(data.every(({ alike }) => alike.length === 1));
});
