import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../../harness.ts';
import { connectionsPath, settled, show } from '../connected-host.ts';
import type { fillForge } from '../forge/sample-forge.ts';
import type { HostDouble } from '../host-double.ts';

/** Tests what must hold for the teams of any host. */
export function checkTeams(
  app: TestApp,
  double: HostDouble,
  { acme, ada, ben, account }: ReturnType<typeof fillForge>,
  { id, provider }: { readonly id: string; readonly provider: unknown },
): void {
  const { state } = double;
  const sync = async () => {
    app.now = new Date(app.now.getTime() + 1000);
    assert.equal((await app.operator('POST', `${connectionsPath}/${id}/sync`)).status, 202);
    await settled(app);
  };
  /** The teams as members of the organization see them: the names of their people by the name of the team. */
  const read = async () => {
    await app.resetLimits();
    const { instance } = await show(app, id);
    const owner = String(account.id);
    const request = { kind: 'organization', provider, instance, org_id: String(acme.id), owner };
    const key = await app.createKey(request);
    const { json, text, status } = await app.get('/v1/teams', key);
    assert.equal(status, 200, text);
    const people: Record<string, string[]> = {};
    for (const team of json.teams) {
      assert.equal(team.source, 'host');
      const { members } = (await app.get(`/v1/teams/${team.id}/members`, key)).json;
      people[team.name] = members.map(({ username }: { username: string }) => username);
      assert.equal(team.member_count, members.length);
    }
    return { people, state: json.host_teams, key, teams: json.teams };
  };
  // Gitea's teams are flat; GitLab's have paths.
  const isNested = provider !== 'gitea';
  const childName = provider === 'gitlab' ? 'platform/api' : 'api';

  test('the teams of the host are stored, with the people of their subteams, and follow changes at the host', async () => {
    const platform = state.addTeam(acme, 'platform', [ada]);
    const guest = state.addUser('guest');
    const child = state.addTeam(acme, 'api', [ben, guest], platform);
    double.maxPageSize = 1;
    await sync();
    double.maxPageSize = 100;
    const { people, state: reading, key, teams } = await read();
    assert.deepEqual(people, {
      platform: isNested ? ['ada', 'ben', 'guest'] : ['ada'],
      [childName]: ['ben', 'guest'],
    });
    assert.deepEqual([reading.status, reading.message], ['ready', null]);
    assert.equal((await app.call('DELETE', `/v1/teams/${teams[0].id}`, { key })).status, 403);
    child.members.delete(guest.id);
    child.members.add(ada.id);
    await sync();
    assert.deepEqual((await read()).people[childName], ['ada', 'ben']);
    platform.name = 'Base';
    acme.teams.splice(acme.teams.indexOf(child), 1);
    await sync();
    assert.deepEqual((await read()).people, { Base: ['ada'] });
  });

  test('teams that the account may not see stay as they were, with the reason, and nothing else fails', async () => {
    // The list of teams itself must not fail for Gitea, since the owners of an organization are read from it, too.
    const faulty =
      provider === 'gitea'
        ? new RegExp(`/teams/${acme.teams[0]!.id}/members$`)
        : /\/(teams|descendant_groups)$/;
    for (const [fault, reason] of [
      [{ status: 403, json: { message: 'Not for you' } }, /Not for you/],
      [{ status: 404, json: {} }, /not allowed|has no/],
      [{ status: 429, headers: { 'retry-after': '2' }, json: { message: 'Slow down' } }, /Slow down/],
    ] as const) {
      double.fault = ({ path }) => (faulty.test(path) ? fault : undefined);
      await sync();
      double.fault = () => undefined;
      const { people, state: reading } = await read();
      assert.deepEqual(people, { Base: ['ada'] });
      assert.equal(reading.status, 'unavailable');
      assert.match(reading.message, reason);
      assert.equal((await show(app, id)).status, 'ready');
    }
    await sync();
    assert.equal((await read()).state.status, 'ready');
  });
}
