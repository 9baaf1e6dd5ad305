import type { DemoOrganization } from './company.ts';
import type { DemoApi } from './demo-api.ts';

/** Divides the people of the organizations among their teams, unless there are teams already; some are in none. */
export async function createDemoTeams(
  api: DemoApi,
  organizations: readonly DemoOrganization[],
): Promise<void> {
  for (const { orgId: org_id, teams, people } of organizations) {
    const known = await api<{ teams: unknown[] }>('GET', `/v1/teams?org_id=${org_id}&limit=1`);
    if (known.teams.length > 0) continue;
    for (const [index, name] of teams.entries()) {
      const { id } = await api<{ id: string }>('POST', '/v1/teams', { org_id, name });
      const members = people.filter((_, position) => position % (teams.length + 1) === index);
      const add = members.map(({ userId }) => userId);
      await api('PATCH', `/v1/teams/${id}/members`, { org_id, add });
    }
  }
}
