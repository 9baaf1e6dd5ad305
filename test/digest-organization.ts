import assert from 'node:assert/strict';
import type { TestApp } from './harness.ts';
import { finding, pullRequest, pullRequestEvent } from './review-events.ts';
import { member, organization } from './sample-platform.ts';
import { signInAs, type TestSession } from './session.ts';

export interface DigestOrganization {
  readonly organizationId: string;
  readonly scope: string;
  readonly admin: TestSession;
  readonly member: TestSession;
  /** The team of 9002. */
  readonly teamId: string;
}

/** A Monday; `fillWeek` adds data to the week before it. */
export const monday = new Date('2026-06-22T07:00:00.000Z');

export const credential = `ghp_${'aB3dE6gH9k'.repeat(4).slice(0, 36)}`;
export const hostileTitle = `<img src=x onerror="alert(1)"> & <!channel> [a](https://evil.test) ${credential}`;

/** Two organizations with an admin, a member in a team each, and one more person. */
export async function makeDigestOrganizations(
  server: TestApp,
): Promise<readonly [DigestOrganization, DigestOrganization]> {
  const inOrganization = (id: string, mail: string) =>
    organization({
      provider_organization_id: id,
      name: `Org ${id}`,
      members: [
        member('9001', { role: 'cr_admin', email: `admin@${mail}` }),
        member('9002', { email: `member@${mail}` }),
        member('9003', { email: `other@${mail}` }),
      ],
    });
  await server.platform({
    organizations: [inOrganization('6001', 'one.test'), inOrganization('6002', 'two.test')],
  });
  async function open(id: string, mail: string): Promise<DigestOrganization> {
    const [row] = await server.database
      .sql`SELECT id FROM organizations WHERE provider_organization_id = ${id}`;
    const scope = `scope=organization:${row!.id}`;
    const admin = await signInAs(server, `admin@${mail}`);
    const team = await admin.call('POST', `/dashboard/v1/teams?${scope}`, { body: { name: `Team ${id}` } });
    assert.equal(team.status, 201, team.text);
    await admin.call('PATCH', `/dashboard/v1/teams/${team.json.id}/members?${scope}`, {
      body: { add: ['9002'] },
    });
    const own = await signInAs(server, `member@${mail}`);
    return { organizationId: row!.id, scope, admin, member: own, teamId: team.json.id };
  }
  const opened = [await open('6001', 'one.test'), await open('6002', 'two.test')] as const;
  // Keeps the sessions valid, since these tests simulate weeks.
  await server.database
    .sql`UPDATE dashboard_sessions SET last_seen_at = '2030-01-01', expires_at = '2030-01-01'`;
  return opened;
}

/** Three merged pull requests with findings, an old open one whose title holds markup and a credential, and a draft. */
export async function fillWeek(server: TestApp, orgId: string): Promise<void> {
  const merged = (author: string, findings: object[]) =>
    pullRequestEvent(
      pullRequest({
        org_id: orgId,
        author_id: author,
        created_at: '2026-06-17T08:00:00Z',
        merged_at: '2026-06-18T10:00:00Z',
        findings,
      }),
    );
  const open = (author: string, number: number) =>
    pullRequestEvent(
      pullRequest({
        org_id: orgId,
        number,
        author_id: author,
        state: 'open',
        created_at: '2026-05-30T08:00:00Z',
        merged_at: null,
        findings: undefined,
      }),
      '2026-06-01T08:00:00Z',
    );
  const sent = await server.events([
    merged('9002', [
      finding({ severity: 'critical', accepted: true }),
      finding({ severity: 'minor', accepted: false }),
    ]),
    merged('9002', []),
    merged('9003', [finding({ severity: 'critical', accepted: true })]),
    open('9002', 71),
    open('9003', 72),
  ]);
  assert.equal(sent.status, 200, sent.text);
  assert.doesNotMatch(sent.text, /"(rejected|invalid)":\s*[1-9]/, sent.text);
  await server.database.sql`
    INSERT INTO reviewed_pull_requests (organization_id, repository_id, number, url, state, is_draft, head_revision, facts, read_at)
    SELECT p.organization_id, p.repository_id, p.number, p.url, 'open', false, ${'a'.repeat(40)},
      ${JSON.stringify({ title: hostileTitle, author: { id: '9002', username: 'user-9002' } })}::text::jsonb, ${monday}
    FROM pull_requests p JOIN organizations o ON o.id = p.organization_id
    WHERE o.provider_organization_id = ${orgId} AND p.number = 71`;
}
