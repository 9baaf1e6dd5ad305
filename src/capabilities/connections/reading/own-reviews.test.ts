import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import {
  connect,
  connectionsPath,
  deliver,
  settled,
  startDouble,
} from '../../../../test/hosts/connected-host.ts';
import type { ForgePull } from '../../../../test/hosts/forge/forge-data.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';
import { GitHubDouble } from '../../../../test/hosts/github/github-double.ts';
import { GitLabDouble } from '../../../../test/hosts/gitlab/gitlab-double.ts';
import type { HostDouble } from '../../../../test/hosts/host-double.ts';

const app = await startTestApp();
const { sql } = app.database;
await app.queue.startWorkers();

const hosts: Record<string, HostDouble> = {
  gitea: await startDouble(new GiteaDouble()),
  github: await startDouble(new GitHubDouble()),
  gitlab: await startDouble(new GitLabDouble()),
};

for (const [provider, double] of Object.entries(hosts))
  test(`${provider}: what our own accounts say is no review by a person, whatever they are called`, async () => {
    const { state } = double;
    const forge = fillForge(double, { account: 'Carla', isBot: false });
    const second = state.addUser('dora');
    forge.acme.members.add(second.id);
    double.tokens.set('token-of-dora', second);
    const reviewedBy = async (openedAt: string, ...others: (typeof second)[]) => {
      state.now = new Date(openedAt);
      const pull = state.open(forge.app, forge.ada);
      for (const user of [forge.account, second, ...others]) {
        state.review(pull, user, { comments: ['on a line'] });
        state.comment(pull, user);
      }
      return { pull, firstAt: pull.reviews[2]?.at ?? null };
    };
    /** When a person is said to have reviewed it first, and who has. */
    const readOf = async ({ number }: ForgePull) => {
      const [row] = await sql`
        SELECT v.first_human_review_at AS first, h.reviewed_by AS by
        FROM review_metrics v JOIN host_pull_requests h USING (organization_id, repository_id, number)
        JOIN organizations o ON o.id = v.organization_id
        WHERE o.provider = ${provider} AND v.number = ${number}`;
      return row && { first: row.first, by: row.by };
    };
    // GitLab counts who approved.
    const ben = provider === 'gitlab' ? [] : [String(forge.ben.id)];

    const open = await reviewedBy('2026-05-01T00:00:00Z');
    const ended = await reviewedBy('2026-05-02T00:00:00Z', forge.ben);
    state.end(ended.pull, 'merged');
    const unreviewed = await reviewedBy('2026-05-03T00:00:00Z');
    state.end(unreviewed.pull, 'merged');
    double.takeDeliveries();
    const request = { provider, url: double.url, organizations: ['acme'] };
    const { id, instance } = await connect(app, { ...request, credentials: { token: hostToken } });
    await connect(app, { ...request, instance, credentials: { token: 'token-of-dora' } });
    await settled(app);
    assert.deepEqual(await readOf(open.pull), { first: null, by: [] }, 'open before the connection');

    await app.operator('POST', `${connectionsPath}/${id}/backfill`, { since: '2026-04-01' });
    await settled(app);
    assert.deepEqual(await readOf(ended.pull), { first: ended.firstAt, by: ben }, 'read by the backfill');
    assert.deepEqual(await readOf(unreviewed.pull), { first: null, by: [] }, 'without a review by a person');

    const delivered = await reviewedBy(new Date(app.now.getTime() - 3_600_000).toISOString(), forge.ben);
    for (const delivery of double.takeDeliveries())
      assert.equal((await deliver(app, delivery)).status, 202, delivery.body);
    await settled(app);
    assert.deepEqual(await readOf(delivered.pull), { first: delivered.firstAt, by: ben }, 'delivered');
  });
