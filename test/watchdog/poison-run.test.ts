import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startScriptedModel } from '../models/scripted-model.ts';
import { createTestDatabase, urlOf } from '../postgres.ts';
import { createPostilProcess } from '../postil-process.ts';
import { member, organization, sampleKeys } from '../sample-platform.ts';

const { database, target, drop } = await createTestDatabase();
const { sql } = database;
/** Resolved after the poisonous run was tried twice, so that both runs are in progress whenever the server hangs. */
const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
const model = await startScriptedModel('openai', async () => {
  await answered;
  return { answer: { findings: [] } };
});
const hook = path.join(import.meta.dirname, 'hang-on-question.ts');
const postil = await createPostilProcess(
  {
    DATABASE_URL: urlOf(target),
    POSTIL_MODEL_URL: model.settings.url,
    POSTIL_MODEL_NAME: model.settings.name,
  },
  [`--import=${hook}`],
);
after(async () => {
  answer();
  await postil.remove();
  await drop();
});

const diffOf = (line: string) => `--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,1 @@\n+${line}\n`;

async function newTenant(): Promise<string> {
  const own = organization({ members: [member('9001', { role: 'cr_admin', seat: true })] });
  assert.equal((await postil.call('PUT', '/operator/v1/platform', { organizations: [own] })).status, 200);
  const request = { name: 'test', ...sampleKeys.user, org_id: own.provider_organization_id };
  return (await postil.call('POST', '/operator/v1/keys', request)).json.value;
}

async function post(key: string, line: string): Promise<string> {
  const body = { repository_id: '501', diff: diffOf(line) };
  const posted = await postil.call('POST', '/v1/reviews', body, key);
  assert.equal(posted.status, 202, JSON.stringify(posted.json));
  return posted.json.id;
}

/** Restarts the server like a supervisor, and simulates that the leases of the dead one have expired. */
async function restart(): Promise<void> {
  await sql`UPDATE nodes SET seen_at = seen_at - interval '1 minute'`;
  await postil.start();
}

test('a run that made its server hang twice is not started a third time, and the run next to it is completed', {
  timeout: 600_000,
}, async () => {
  await postil.start();
  const [one, other] = [await newTenant(), await newTenant()];
  const bystander = await post(other, 'export const a = 1;');
  while (model.calls.length === 0) await sleep(50);
  const poison = await post(one, 'export const text = "poison pill";');
  const attempts = async () =>
    (await sql`SELECT attempts FROM review_runs WHERE id = ${poison}`)[0]!.attempts;

  assert.deepEqual(await postil.ended(), [1, null], 'ended by the watchdog');
  assert.equal(await attempts(), 1);
  await restart();
  assert.deepEqual(await postil.ended(), [1, null]);
  assert.equal(await attempts(), 2);
  await restart();

  const runOf = async (id: string, key: string) => {
    while ((await sql`SELECT 1 FROM review_runs WHERE id = ${id} AND finished_at IS NULL`).length > 0)
      await sleep(50);
    return (await postil.call('GET', `/v1/reviews/${id}`, undefined, key)).json;
  };
  const failed = await runOf(poison, one);
  assert.deepEqual(
    [failed.status, failed.reason],
    ['failed', 'given up: the server ended again and again while it worked on this; its log says why'],
  );
  answer();
  assert.equal((await runOf(bystander, other)).status, 'succeeded');
  assert.equal((await postil.call('GET', '/health')).status, 200);
});
