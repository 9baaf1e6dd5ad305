import assert from 'node:assert/strict';
import type { TestApp } from './harness.ts';
import { freshId, member, organization } from './sample-platform.ts';

const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** Creates a workspace with one organization of two people, and returns the requests of its identity provider. */
export async function startScimWorkspace(server: TestApp) {
  const slug = `w${freshId()}`;
  const orgId = freshId();
  const admin = `admin@${slug}.test`;
  const alice = `alice@${slug}.test`;
  const document = {
    workspaces: [{ slug, admins: [admin] }],
    organizations: [
      organization({
        provider_organization_id: orgId,
        workspace: slug,
        members: [
          member('1', { email: admin, role: 'cr_admin' }),
          member('2', { email: alice, role: 'cr_admin', seat: true }),
        ],
      }),
    ],
  };
  await server.platform(document);
  const newToken = (owner: string) =>
    server.createKey({ kind: 'workspace', workspace: slug, owner, expires_at: '2027-01-31T00:00:00Z' });
  const token = await newToken(admin);
  const call = (method: string, path: string, body?: unknown, bearer = token) =>
    server.call(method, `/scim/v2/${slug}${path}`, {
      body,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json; charset=utf-8' }),
      },
    });
  const createUser = async (userName: string, more: object = {}) => {
    const answer = await call('POST', '/Users', { schemas: [userSchema], userName, ...more });
    assert.equal(answer.status, 201, answer.text);
    return answer.json as { id: string; userName: string; active: boolean; groups: { display: string }[] };
  };
  const patch = (path: string, ...operations: object[]) =>
    call('PATCH', path, { schemas: [patchSchema], Operations: operations });
  const accounts = () => server.database.sql<
    { provider_user_id: string; active: boolean; seat: boolean; suspended: boolean }[]
  >`
    SELECT m.provider_user_id, m.active, m.seat, m.suspended FROM members m JOIN organizations o ON o.id = m.organization_id
    WHERE o.provider_organization_id = ${orgId} ORDER BY 1`;
  const isAdmin = async (email: string) => {
    const rows = await server.database.sql`
      SELECT 1 FROM workspace_admins a JOIN people p ON p.id = a.person_id JOIN workspaces w ON w.id = a.workspace_id
      WHERE w.slug = ${slug} AND p.email = ${email}`;
    return rows.length > 0;
  };
  const aliceKey = () => server.createKey({ kind: 'user', provider: 'github', org_id: orgId, owner: '2' });
  return {
    slug,
    orgId,
    admin,
    alice,
    document,
    token,
    newToken,
    call,
    createUser,
    patch,
    accounts,
    isAdmin,
    aliceKey,
  };
}
