import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../../harness.ts';
import { connect, connectionsPath, deliver, runSchedule, settled, show, until } from '../connected-host.ts';
import { fillForge, hostToken } from '../forge/sample-forge.ts';
import type { HostDouble } from '../host-double.ts';
import { checkAsked } from './asked-contract.ts';
import { checkTeams } from './team-contract.ts';

/** Tests what must hold for a connection to any host, whatever its API. */
export async function checkHost(app: TestApp, double: HostDouble, request: Record<string, unknown>) {
  const forge = fillForge(double);
  const { state } = double;
  const { sql } = app.database;
  const later = (seconds: number) => {
    app.now = new Date(app.now.getTime() + seconds * 1000);
  };
  const bring = async () => {
    for (const delivery of double.takeDeliveries())
      assert.equal((await deliver(app, delivery)).status, 202, delivery.body);
    later(1);
    await settled(app);
  };
  const asked = { ...request, url: double.url, credentials: { token: hostToken }, organizations: ['acme'] };
  const { id, webhook } = await connect(app, asked);
  await settled(app);
  const metricsOf = async (number: number, repository = 'app') => {
    const [row] = await sql`
      SELECT p.state, v.author_id, v.ready_for_review_at, v.first_human_review_at, v.last_commit_at, v.merged_at, v.review_iterations,
        v.entry
      FROM pull_requests p JOIN review_metrics v USING (organization_id, repository_id, number)
      JOIN repositories r ON r.organization_id = p.organization_id AND r.id = p.repository_id
      WHERE r.name = ${repository} AND p.number = ${number}`;
    return row;
  };

  test('the account, its organizations, repositories, people and readers exist after the first sync', async () => {
    const shown = await show(app, id);
    assert.deepEqual([shown.status, shown.organizations], ['ready', ['acme']]);
    const repositories =
      await sql`SELECT name, active, private, readers_restricted FROM repositories ORDER BY name`;
    assert.deepEqual(
      repositories.map((row) => ({ ...row })),
      [
        { name: 'app', active: true, private: false, readers_restricted: false },
        { name: 'attic', active: false, private: false, readers_restricted: false },
        { name: 'vault', active: true, private: true, readers_restricted: true },
      ],
    );
    const readers = await sql`SELECT provider_user_id AS id FROM repository_readers ORDER BY 1`;
    assert.deepEqual(
      readers.map((row) => row.id),
      [forge.account.id, forge.ada.id].map(String).sort(),
    );
    const people = await sql`SELECT provider_user_id AS id, bot, active, role FROM members ORDER BY 1`;
    assert.deepEqual(
      people.map(({ id: user, bot, active }) => [user, bot, active]),
      [forge.account, forge.ada, forge.ben, forge.reviewer].map((user) => [
        String(user.id),
        user.isBot,
        true,
      ]),
    );
    assert.equal(people.find((row) => row.id === String(forge.account.id))!.role, 'cr_admin');
  });

  test('wrong credentials and unknown organizations are rejected', async () => {
    for (const change of [{ credentials: { token: 'wrong' } }, { organizations: ['nobody'] }]) {
      const answer = await app.operator('POST', connectionsPath, { ...asked, ...change });
      assert.deepEqual([answer.status, answer.json.error.code], [400, 'CONNECTION_REFUSED'], answer.text);
    }
  });

  test('the metrics of a pull request match its history at the host', async () => {
    state.now = new Date(app.now.getTime() - 24 * 3_600_000);
    const pull = state.open(forge.app, forge.ada, { isDraft: true });
    state.comment(pull, forge.reviewer);
    state.markReady(pull);
    state.review(pull, forge.ben, { comments: ['why'] });
    const reviewedAt = pull.updatedAt;
    state.push(pull);
    const pushedAt = pull.updatedAt;
    state.push(pull, { isMerge: true });
    state.review(pull, forge.ben, { state: 'approved' });
    state.end(pull, 'merged');
    await bring();
    const row = await metricsOf(pull.number);
    assert.deepEqual(
      [row!.state, row!.author_id, row!.ready_for_review_at, row!.first_human_review_at, row!.last_commit_at],
      ['merged', String(forge.ada.id), pull.readyAt, reviewedAt, pushedAt],
    );
    assert.deepEqual([row!.merged_at, row!.review_iterations], [pull.closedAt, 2]);
  });

  checkAsked(app, double, forge, bring);

  test('an invalid signature is rejected', async () => {
    state.open(forge.app, forge.ada);
    const [delivery] = double.takeDeliveries();
    const tampered = { ...delivery!, body: `${delivery!.body} ` };
    const names = Object.keys(delivery!.headers).filter((name) => /signature|token/.test(name));
    const without = Object.fromEntries(
      Object.entries(delivery!.headers).filter(([name]) => !names.includes(name)),
    );
    const wrong = Object.fromEntries(names.map((name) => [name, 'sha256=00']));
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    const cases = [
      { ...delivery!, headers: without },
      { ...delivery!, headers: { ...without, ...wrong } },
      { ...delivery!, headers: { ...without, ...empty } },
      ...(names.includes('x-gitlab-token') ? [] : [tampered]),
    ];
    for (const one of cases) {
      const answer = await deliver(app, one);
      assert.deepEqual([answer.status, answer.json.error.code], [401, 'INVALID_SIGNATURE'], answer.text);
    }
    assert.equal((await deliver(app, delivery!)).status, 202);
    await settled(app);
  });

  test('an exhausted rate limit delays requests, and is reported', async () => {
    const pull = state.open(forge.app, forge.ada);
    double.fault = ({ path }) => {
      if (!path.endsWith(`/${pull.number}`)) return undefined;
      const reset = String(Math.floor(Date.now() / 1000) + 2);
      const headers = { 'retry-after': '2', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
      return { status: 403, headers, json: { message: 'API rate limit exceeded' } };
    };
    for (const delivery of double.takeDeliveries()) await deliver(app, delivery);
    await runSchedule(app, 'dispatch-deliveries');
    await until(async () => (await show(app, id)).health.last_error !== null);
    assert.match((await show(app, id)).health.last_error.message, /rate limit/);
    double.fault = () => undefined;
    await settled(app);
    assert.equal((await metricsOf(pull.number))!.state, 'open');
    assert.equal((await show(app, id)).status, 'ready');
  });

  test('a sweep finds changes that were never delivered, over several pages', async () => {
    state.now = new Date(app.now.getTime() - 4 * 3_600_000);
    const pulls = Array.from({ length: 12 }, () => state.open(forge.app, forge.ada));
    double.maxPageSize = 5;
    double.takeDeliveries();
    later(16 * 60);
    await runSchedule(app, 'start-due-readings');
    await settled(app);
    double.maxPageSize = 100;
    assert.equal((await metricsOf(pulls[0]!.number))!.state, 'open');
    assert.equal((await metricsOf(pulls.at(-1)!.number))!.state, 'open');
  });

  test('the open pull requests of a repository that is new to the connection are read, over several pages', async () => {
    const late = state.addRepository(forge.acme, 'late');
    state.now = new Date('2025-03-01T00:00:00Z');
    const pulls = Array.from({ length: 7 }, () => state.open(late, forge.ada));
    state.ask(pulls[0]!, [forge.ben]);
    state.end(pulls[1]!, 'merged');
    state.end(pulls[2]!, 'closed');
    double.takeDeliveries();
    double.maxPageSize = 2;
    later(1);
    assert.equal((await app.operator('POST', `${connectionsPath}/${id}/sync`)).status, 202);
    await settled(app);
    double.maxPageSize = 100;
    const rows = await sql`
      SELECT p.number, p.state, p.asked FROM host_pull_requests p JOIN repositories r ON r.id = p.repository_id
      WHERE r.name = 'late' ORDER BY p.number`;
    assert.deepEqual(
      rows.map(({ number, state: read }) => [number, read]),
      [pulls[0]!, ...pulls.slice(3)].map(({ number }) => [number, 'open']),
    );
    assert.deepEqual(rows[0]!.asked, [`user:${forge.ben.id}`]);
    assert.equal((await metricsOf(pulls[0]!.number, 'late'))!.state, 'open');
    state.repositories.splice(state.repositories.indexOf(late), 1);
  });

  test('a backfill reads merged and closed pull requests, with the comments of other bots', async () => {
    state.now = new Date('2026-02-01T00:00:00Z');
    const pull = state.open(forge.app, forge.ada);
    state.review(pull, forge.reviewer, { comments: ['of a bot'] });
    state.review(pull, forge.account, { comments: ['our own'] });
    state.end(pull, 'closed');
    double.takeDeliveries();
    const path = `${connectionsPath}/${id}/backfill`;
    assert.equal((await app.operator('POST', path, { since: '2026-01-15' })).status, 202);
    await settled(app);
    const { backfill } = await show(app, id);
    assert.deepEqual([backfill.state, backfill.done], ['done', backfill.total]);
    const row = await metricsOf(pull.number);
    assert.equal(row!.state, 'closed');
    assert.equal((row!.entry ?? '').match(/#(discussion_r|note_|issuecomment-)\d+/g)?.length, 1, row!.entry);
  });

  test('the check passes', async () => {
    app.now = new Date();
    const { json } = await app.operator('POST', `${connectionsPath}/${id}/check`);
    const bad = json.checks.filter(({ ok }: { ok: boolean }) => !ok);
    assert.deepEqual(bad, []);
    const names = json.checks.map(({ name }: { name: string }) => name.split(' ')[0]);
    assert.deepEqual(names, ['credentials', 'read', 'comment', 'webhook', 'clock']);
    const reviewing = async (review: string) => {
      assert.equal((await app.operator('PATCH', `${connectionsPath}/${id}`, { review })).status, 200);
      const checked = await app.operator('POST', `${connectionsPath}/${id}/check`);
      return checked.json.checks.find(({ name }: { name: string }) => name === 'statuses in acme');
    };
    assert.equal((await reviewing('on')).ok, true);
    assert.equal(await reviewing('off'), undefined);
  });

  checkTeams(app, double, forge, { id, provider: request.provider });

  return { forge, id, webhook, asked };
}
