import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import fc from '../../../../test/properties.ts';
import { createDeterministicEmbedder } from '../embedding/deterministic-embedder.ts';

const embedded: string[] = [];
const inner = createDeterministicEmbedder();
const test$ = await startLearnings({
  embedder: {
    ...inner,
    async embed(texts, options) {
      embedded.push(...texts);
      return inner.embed(texts, options);
    },
  },
});
const { sql } = test$.database;

const alphabet = [...'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'];
const random = (length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
const credential = fc.oneof(
  random(36).map((text) => ({ secret: text, written: `ghp_${text}` })),
  fc
    .string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'), minLength: 16, maxLength: 16 })
    .map((text) => ({ secret: text, written: `AKIA${text}` })),
  random(49).map((text) => ({ secret: text, written: `pst_o_${text}` })),
);

/** Everything that the database holds, table by table, as text. */
async function everythingStored(): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;
  const parts = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await sql`SELECT string_agg(t::text, ' ') AS text FROM ${sql(name)} AS t`;
      return row!.text ?? '';
    }),
  );
  return parts.join('\n');
}

test('no part of a recognized secret reaches the database, the model, the audit log, the logs or a response', async () => {
  await fc.assert(
    fc.asyncProperty(credential, fc.lorem({ maxCount: 5 }), async ({ secret, written }, prose) => {
      const answers = [
        await test$.post([
          { learning: `${prose} ${written} ${prose}` },
          { learning: `Beside ${prose} ${secret.length}`, file: `conf/${written}.env` },
          {
            learning: `And ${prose} ${secret.slice(0, 2)}`,
            source_url: `https://a.test/?access_token=${written}`,
          },
          { learning: written },
          { learning: `x ${written}`, file: 7 },
          { learning: `x ${written}`, repository_id: '999' },
          { learning: 'x', [written]: 1 },
          { learning: 'x', [written]: { [written]: '\0' } },
        ]),
      ];
      const { id } = answers[0]!.json.results[0];
      answers.push(await test$.patch(id, `${prose} changed ${written}`));
      answers.push(await test$.patch(id, written));
      await test$.capture(`Captured ${prose} ${written}`, { file: written });
      await test$.search(`find ${written}`);
      const seen = [
        ...answers.map(({ text }) => text),
        (await test$.get('/v1/learnings', test$.key)).text,
        (await test$.get('/v1/learnings?format=csv', test$.key)).text,
        test$.logLines.join('\n'),
        embedded.join('\n'),
        await everythingStored(),
      ];
      for (const text of seen) assert.ok(!text.includes(secret));
    }),
    { numRuns: 25 },
  );
});

test('an error names an unknown field, with credentials redacted', async () => {
  const secret = `ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'}`;
  const { results } = (await test$.post([{ learning: 'x', colour: 1, password: 2, [secret]: 3 }])).json;
  assert.equal(
    results[0].error.message,
    'data[0].colour: unknown field; data[0].password: unknown field; data[0].[REDACTED]: unknown field',
  );
});

test("a Learning's text is never in the audit log or the logs", async () => {
  const text = 'Quokka guidance that nobody may log';
  const id = await test$.create({ learning: text, file: 'quokka.ts', source_url: 'https://quokka.test' });
  await test$.patch(id, `${text}!`);
  await test$.post([{ learning: text, file: 5 }]);
  await test$.search(text);
  await test$.list('search=quokka');
  await test$.remove(id);
  await test$.capture(text, { pull_request: { number: 3, state: 'open' } });
  await test$.post([text]);
  const [audit] = await sql`SELECT string_agg(e::text, ' ') AS text FROM audit_entries e`;
  for (const written of [audit!.text, test$.logLines.join('\n')]) assert.doesNotMatch(written, /quokka/i);
  assert.ok((await test$.auditActions()).length >= 5);
});

test('every change of a Learning through the API is audited with its actor', async () => {
  const id = await test$.create('Audited from start to end');
  await test$.patch(id, 'Audited from beginning to end');
  await test$.remove(id);
  const entries = await sql`
    SELECT action, actor_name, actor_subtitle, resource_type FROM audit_entries WHERE resource_id = ${id} ORDER BY position`;
  assert.deepEqual(
    entries.map((entry) => [entry.action, entry.actor_name, entry.actor_subtitle, entry.resource_type]),
    ['learning.created', 'learning.updated', 'learning.deleted'].map((action) => [
      action,
      'user-9001',
      'API key test',
      'learning',
    ]),
  );
});
