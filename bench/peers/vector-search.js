/**
 * What a user would write instead of the search for Learnings: pgvector for meaning, a tsvector with a GIN index for words,
 * both combined by the ranks of a row in each (reciprocal rank fusion), as in pgvector's documentation. The search by meaning
 * is exact, like ours. It does less than ours: no key is looked up, no rate limit is counted, every row is visible, and all
 * words have the same weight however rare they are.
 *
 * This file is copied into the folder where its packages were installed, and runs there.
 */
import fastify from 'fastify';
import pg from 'pg';

const { embedWords } = await import(process.env.EMBEDDER_MODULE);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

/** The statement, with the parameters organization, repository, vector and words of the query, and limit. */
function searchStatement(wordQuery) {
  return `
    WITH by_meaning AS (
      SELECT id, row_number() OVER (ORDER BY distance) AS rank FROM (
        SELECT id, embedding <#> $3::vector AS distance FROM postil_bench.learnings
        WHERE organization_id = $1 AND repository_id = $2 ORDER BY embedding <#> $3::vector LIMIT 50) AS nearest),
    by_words AS (
      SELECT id, row_number() OVER (ORDER BY fit DESC) AS rank FROM (
        SELECT id, ts_rank_cd(words, wanted) AS fit FROM postil_bench.learnings, ${wordQuery} AS wanted
        WHERE organization_id = $1 AND repository_id = $2 AND words @@ wanted ORDER BY fit DESC LIMIT 50) AS fitting)
    SELECT l.id, l.learning, l.created_at, coalesce(1.0 / (60 + m.rank), 0) + coalesce(1.0 / (60 + w.rank), 0) AS score
    FROM by_meaning m FULL JOIN by_words w USING (id) JOIN postil_bench.learnings l USING (id)
    ORDER BY score DESC, l.id LIMIT $5`;
}

const statements = {
  all_words: searchStatement("plainto_tsquery('english', $4)"),
  any_word: searchStatement("CAST(replace(plainto_tsquery('english', $4)::text, '&', '|') AS tsquery)"),
};

const app = fastify();
for (const [name, text] of Object.entries(statements)) {
  app.post(`/${name}`, async (request) => {
    const { organization_id, repository_id, query, limit } = request.body;
    const vector = `[${embedWords(query).join()}]`;
    const values = [organization_id, repository_id, vector, query, limit];
    const { rows } = await pool.query({ name, text, values });
    return { data: rows };
  });
}

const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`ready at ${address}\n`);
process.once('SIGTERM', async () => {
  await app.close();
  await pool.end();
});
