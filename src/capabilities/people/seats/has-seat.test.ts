import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { freshId, member, organization } from '../../../../test/sample-platform.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { findMembership } from './has-seat.ts';

const server = await startTestApp();

test('a member has the seat of any account of the person, as long as that organization belongs to the workspace', async () => {
  const workspace = `w${freshId()}`;
  const [here, there, elsewhere] = [freshId(), freshId(), freshId()];
  const ann = (userId: string, seat: boolean) => member(userId, { email: 'ann@acme.test', seat });
  const other = organization({
    provider_organization_id: there,
    workspace,
    members: [ann('12', true)],
  });
  await server.platform({
    workspaces: [{ slug: workspace }],
    organizations: [
      organization({ provider_organization_id: here, workspace, members: [ann('11', false)] }),
      other,
      organization({ provider_organization_id: elsewhere, members: [ann('13', true)] }),
    ],
  });
  const [row] = await server.database.sql<{ id: OrganizationId }[]>`
    SELECT id FROM organizations WHERE provider_organization_id = ${here}`;
  const membershipOf = (userId: string) => findMembership(server.database.sql, row!.id, userId);
  assert.deepEqual(await membershipOf('11'), { isBot: false, hasSeat: true });
  assert.equal(await membershipOf('12'), undefined, 'an account of another organization');
  await server.platform({ organizations: [{ ...other, active: false }] });
  assert.deepEqual(await membershipOf('11'), { isBot: false, hasSeat: false });
});
