import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { ForgePull } from '../../../../test/hosts/forge/forge-data.ts';
import { startReviewingApp } from '../../../../test/hosts/reviewing-app.ts';

const { app, host, forge, reviews, connectionId, addRepository, deliverAll } = await startReviewingApp();
const { instance } = (await app.operator('GET', `/operator/v1/connections/${connectionId}`)).json;
const owner = { provider: 'gitea', org_id: String(forge.acme.id), instance, owner: String(forge.ada.id) };
const key = await app.createKey({ kind: 'user', name: 'ada', ...owner });
const acme = { provider: 'gitea', provider_organization_id: String(forge.acme.id), instance };
await app.platform({
  organizations: [
    { ...acme, members: [{ user_id: String(forge.ada.id), username: 'ada', role: 'cr_admin' }] },
  ],
});
beforeEach(() => app.resetLimits());
await app.call('PUT', '/v1/settings/reviews', { key, body: { other_reviewers: ['lint-bot'] } });
const long = { timeout: 600_000 };

const path = 'src/load.ts';
const spacer = Array.from({ length: 18 }, (_, index) => `export const value${index} = ${index};\n`);
const code = (line: string) => [`${line}\n`, ...spacer].join('');

async function openPull() {
  const git = await addRepository();
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ [path]: code('export const text = value17.trim();') });
  const pull = await git.open(forge.ada, 'topic');
  await deliverAll();
  return { git, pull };
}

/** A thread of another reviewer on the first line of a version, which a person has resolved. */
function threadOfOther(pull: ForgePull, id: string, revision: string) {
  const author = { id: String(forge.reviewer.id), username: 'lint-bot', isBot: true };
  const [url, body] = [`${host.url}/comments/${id}`, 'Use `trimStart` here.'];
  reviews.pull(pull.repository, pull.number).threads.push({
    id: `other-${id}`,
    path,
    side: 'new',
    line: 1,
    begun: { revision, startLine: 1, line: 1 },
    headSha: revision,
    isResolved: true,
    resolvedBy: { id: String(forge.ben.id), username: 'ben' },
    comments: [{ id, url, author, body, createdAt: app.now, isOwn: false, reactions: null }],
  });
}

/** What is followed of another reviewer, as the API lists it. */
async function listed(id: string) {
  const { json, text } = await app.get('/v1/reviews/findings?reviewer=lint-bot', key);
  const found = json.data?.find((one: { finding_id: string }) => one.finding_id === `gitea:${id}`);
  return found ?? assert.fail(text);
}

test(
  'a history that is told only after the merge gives the same verdict, by the same evidence',
  long,
  async () => {
    const told: { accepted: unknown; chance: unknown; signals: unknown }[] = [];
    for (const [id, tell] of [
      ['1', deliverAll],
      ['2', async () => {}],
    ] as const) {
      const { git, pull } = await openPull();
      threadOfOther(pull, id, pull.commits.at(-1)!.sha);
      host.state.comment(pull, forge.ben, 'look');
      await tell();
      await git.commit({ [path]: code('export const text = value17.trimStart();') });
      await git.push(pull, 'topic');
      await tell();
      await git.git('checkout', '--quiet', 'main');
      await git.git('merge', '--quiet', '--no-ff', '-m', 'Merge', 'topic');
      await git.upload('main', 'refs/heads/main');
      host.state.end(pull, 'merged');
      await deliverAll();
      const { accepted, chance, signals } = await listed(id);
      told.push({ accepted, chance, signals });
    }
    assert.deepEqual(told[1], told[0]);
    assert.equal(told[0]!.accepted, true, JSON.stringify(told));
  },
);

test('a thread on lines of a version that is gone is unknown, not called untouched', long, async () => {
  const { pull } = await openPull();
  threadOfOther(pull, '3', 'f'.repeat(40));
  host.state.end(pull, 'merged');
  await deliverAll();
  const { start_line, end_line, accepted, signals } = await listed('3');
  assert.deepEqual([start_line, end_line, accepted, signals], [1, 1, null, ['thread_resolved']]);
});
