import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { lostAnswer } from '../../../../../test/hosts/review-host-double.ts';
import { startReviewingApp } from '../../../../../test/hosts/reviewing-app.ts';

const { app, forge, reviews, addRepository, deliverAll, settleAll, until } = await startReviewingApp();
const { sql } = app.database;
beforeEach(() => app.resetLimits());
const long = { timeout: 600_000 };

const unsafe = (name: string) =>
  `export function ${name}(value: string): string {\n  try {\n    return value.trim();\n  } finally {\n    return '';\n  }\n}\n`;

const git = await addRepository();
let serial = 0;

/** A pull request that was reviewed and then pushed to: its finding is gone, and there is a new one. */
async function newPush() {
  serial += 1;
  const name = `topic-${serial}`;
  await git.git('checkout', '--quiet', '-b', name, 'main');
  await git.commit({ [`${name}/first.ts`]: unsafe('first') });
  const pull = await git.open(forge.ada, name);
  await deliverAll();
  await git.git('rm', '--quiet', `${name}/first.ts`);
  await git.commit({ [`${name}/second.ts`]: 'export const second = 1 / (0 / 0) === NaN;\n' });
  await git.push(pull, name);
  return pull;
}

type Pull = Awaited<ReturnType<typeof newPush>>;

/** Asserts that the host has everything exactly once. */
async function assertPublishedOnce(pull: Pull): Promise<void> {
  const runs = await sql`
    SELECT status, trigger, reason, attempts FROM review_runs r JOIN repositories p ON p.id = r.repository_id
    WHERE p.provider_repository_id = ${String(pull.repository.id)} AND pull_request = ${pull.number} ORDER BY r.created_at, r.id`;
  assert.deepEqual(
    runs.map((run) => [run.trigger, run.status, run.reason]),
    [
      ['opened', 'succeeded', null],
      ['push', 'succeeded', null],
    ],
  );
  const { threads, conversation, statuses } = reviews.pull(pull.repository, pull.number);
  const name = `topic-${serial}`;
  assert.deepEqual(
    threads.map((thread) => [thread.path, thread.isResolved, thread.comments.length]),
    [
      [`${name}/first.ts`, true, 2],
      [`${name}/second.ts`, false, 1],
    ],
  );
  assert.equal(conversation.length, 1, 'one summary');
  assert.equal(statuses.at(-1)!.sha, pull.commits.at(-1)!.sha);
  assert.notEqual(statuses.at(-1)!.state, 'pending');
  const findings = await sql`
    SELECT path, state, comment_id IS NOT NULL AS posted FROM review_findings f JOIN repositories p ON p.id = f.repository_id
    WHERE p.provider_repository_id = ${String(pull.repository.id)} AND pull_request = ${pull.number} ORDER BY path`;
  assert.deepEqual(
    findings.map((finding) => [finding.path, finding.state, finding.posted]),
    [
      [`${name}/first.ts`, 'resolved', true],
      [`${name}/second.ts`, 'open', true],
    ],
  );
}

for (const write of [
  'publishReview',
  'reply',
  'resolve',
  'editComment',
  'writeComment',
  'setStatus',
] as const)
  for (const isDone of write === 'publishReview' ? [false, true] : [true])
    test(
      `nothing is posted twice or lost when the host breaks off ${isDone ? 'after' : 'before'} ${write}`,
      long,
      async () => {
        const pull = await newPush();
        // The summary is posted again only if a person deleted it.
        if (write === 'writeComment') reviews.pull(pull.repository, pull.number).conversation.length = 0;
        let faults = 0;
        reviews.fault = (name, done) => {
          if (name !== write || done !== isDone || faults > 0) return;
          faults += 1;
          throw lostAnswer();
        };
        await deliverAll();
        reviews.fault = () => {};
        assert.equal(faults, 1);
        await assertPublishedOnce(pull);
      },
    );

/** The node crashes after it has done a stage and before it stores the result. */
const boundaries: Readonly<Record<string, string>> = {
  plan: "UPDATE ON review_run_work FOR EACH ROW WHEN (NEW.stages ? 'plan' AND NOT OLD.stages ? 'plan')",
  pending:
    "UPDATE ON review_run_work FOR EACH ROW WHEN (NEW.stages ? 'pending' AND NOT OLD.stages ? 'pending')",
  rules: "UPDATE ON review_run_work FOR EACH ROW WHEN (NEW.stages ? 'rules' AND NOT OLD.stages ? 'rules')",
  model: "UPDATE ON review_run_work FOR EACH ROW WHEN (NEW.stages ? 'model' AND NOT OLD.stages ? 'model')",
  judge: "UPDATE ON review_run_work FOR EACH ROW WHEN (NEW.stages ? 'judge' AND NOT OLD.stages ? 'judge')",
  posted:
    'UPDATE ON review_findings FOR EACH ROW WHEN (NEW.comment_id IS NOT NULL AND OLD.comment_id IS NULL)',
  publish:
    "UPDATE ON review_run_work FOR EACH ROW WHEN (NEW.stages ? 'publish' AND NOT OLD.stages ? 'publish')",
  end: "UPDATE ON review_runs FOR EACH ROW WHEN (NEW.status = 'succeeded')",
};

for (const [stage, condition] of Object.entries(boundaries))
  test(`nothing is posted twice or lost when a node dies after the stage "${stage}"`, long, async () => {
    const pull = await newPush();
    await sql.unsafe(`
      CREATE OR REPLACE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'died'; END $$;
      CREATE TRIGGER die BEFORE ${condition} EXECUTE FUNCTION die()`);
    const delivered = deliverAll();
    const table = condition.split(' ')[2]!;
    await until(async () => {
      const [run] = await sql`
        SELECT 1 FROM review_runs WHERE pull_request = ${pull.number} AND attempts >= 2`;
      return run !== undefined;
    });
    await sql.unsafe(`DROP TRIGGER die ON ${table}`);
    await delivered;
    await settleAll();
    await assertPublishedOnce(pull);
  });
