import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemActor } from '../../src/access/actor.ts';
import type { OrgScope } from '../../src/access/org-scope.ts';
import type { Session } from '../../src/access/session.ts';
import { listKeys } from '../../src/capabilities/api-keys/list-keys.ts';
import { findChains } from '../../src/capabilities/audit-log/store.ts';
import { findPlace, listPlaces } from '../../src/capabilities/dashboard-session/list-places.ts';
import { findPage } from '../../src/capabilities/learnings/export/list-store.ts';
import { applyPlatform } from '../../src/capabilities/operator/apply-platform.ts';
import { findPendingMoves } from '../../src/capabilities/review-metrics/storage/partitions.ts';
import { updateAccess } from '../../src/capabilities/scim/update-access.ts';
import { listTeams } from '../../src/capabilities/teams/list-teams.ts';
import { claimDeliveries } from '../../src/capabilities/webhooks/delivery/claim-deliveries.ts';
import type { Database, Tx } from '../../src/db/database.ts';
import { newKey } from '../../src/secrets/key-ring.ts';
import { Vault } from '../../src/secrets/vault.ts';
import { createWorkQueue } from '../../src/work/work-queue.ts';
import { createTestDatabase, type TestDatabase } from '../postgres.ts';
import { fillTenants, type Tenant } from './many-tenants.ts';

let own: TestDatabase;
let tenant: Tenant;
before(async () => {
  own = await createTestDatabase();
  tenant = await fillTenants(own.database.sql);
});
after(() => own.drop());

/** Far less than the number of tenants, and more than any of these tasks needs. */
const maxRows = 200;

async function countReads(tx: Tx): Promise<number> {
  const [row] = await tx<{ rows: number }[]>`
    SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows FROM pg_stat_xact_user_tables`;
  return row!.rows;
}

/** Runs the task in a transaction that is rolled back, and checks how many rows PostgreSQL read for it. */
async function assertReadsFew(
  task: (tx: Tx, database: Database) => Promise<void>,
  most = maxRows,
): Promise<void> {
  const rolledBack = new Error('rolled back');
  const done = own.database.transaction(async (tx) => {
    const earlier = await countReads(tx);
    const inside: Pick<Database, 'transaction'> = { transaction: (work) => work(tx) };
    await task(tx, { ...own.database, sql: tx as unknown as Database['sql'], ...inside });
    const rows = (await countReads(tx)) - earlier;
    assert.ok(rows <= most, `${rows} rows were read`);
    throw rolledBack;
  });
  await assert.rejects(done, (error) => {
    if (error !== rolledBack) throw error;
    return true;
  });
}

const origin = { actor: systemActor, now: new Date(), requestId: 'request', ipAddress: null };

const sessionOf = (isInstallationAdmin: boolean): Session => ({
  idHash: Buffer.of(),
  personId: tenant.personId,
  email: 'somebody@example.com',
  isInstallationAdmin,
});

test('the data that a person sees in the dashboard is found without reading that of others', () =>
  assertReadsFew(async (_, database) => {
    const { workspaces, organizations, has_more } = await listPlaces({ database }, sessionOf(false));
    assert.deepEqual(
      organizations.map(({ id }) => id),
      [tenant.organizationId],
    );
    assert.deepEqual(
      workspaces.map(({ id, is_own_admin }) => [id, is_own_admin]),
      [[tenant.workspaceId, true]],
    );
    assert.equal(has_more, false);
  }));

test('the first page of an installation admin is found without reading everything they can see', () =>
  assertReadsFew(async (_, database) => {
    const { workspaces, organizations, has_more } = await listPlaces({ database }, sessionOf(true));
    assert.deepEqual([workspaces.length, organizations.length, has_more], [100, 100, true]);
  }, 800));

test('an installation admin opens one organization or workspace without reading the others', () =>
  assertReadsFew(async (_, database) => {
    const { organizationId, workspaceId } = tenant;
    for (const view of [
      { type: 'organization', id: organizationId },
      { type: 'workspace', id: workspaceId },
    ] as const) {
      const { organizations } = await findPlace({ database }, sessionOf(true), view);
      assert.deepEqual(
        organizations.map(({ id }) => id),
        [organizationId],
      );
    }
  }));

test('a document about one organization does not read other organizations, nor their sessions', () =>
  assertReadsFew(async (tx, database) => {
    const organization = {
      provider: 'github' as const,
      provider_organization_id: tenant.orgId,
      active: false,
    };
    await applyPlatform(
      { database },
      { workspaces: [{ slug: tenant.workspaceSlug, admins: [] }], organizations: [organization] },
      origin,
    );
    const [left] = await tx`SELECT 1 FROM dashboard_sessions WHERE person_id = ${tenant.personId}`;
    assert.equal(left, undefined);
  }));

test('an update of one person by an identity provider reads nothing about others', () =>
  assertReadsFew(async (tx) => {
    const { workspaceId: id, organizationId, personId } = tenant;
    await tx`UPDATE scim_users SET active = false WHERE workspace_id = ${id} AND person_id = ${personId}`;
    await updateAccess(tx, { id, organizationIds: [organizationId] }, [personId], origin, []);
    const [key] = await tx`SELECT revoked_at IS NOT NULL AS revoked FROM api_keys WHERE id = ${id}`;
    assert.deepEqual(key, { revoked: true });
    const [left] = await tx`SELECT 1 FROM dashboard_sessions WHERE person_id = ${personId}`;
    assert.equal(left, undefined);
  }));

test('the keys of a workspace are listed without reading those of others', () =>
  assertReadsFew(async (tx) => {
    const { keys } = await listKeys(tx, 100, undefined, { workspaceId: tenant.workspaceId });
    assert.deepEqual(
      keys.map(({ id }) => id),
      [tenant.workspaceId],
    );
  }));

test('a page of Learnings reads only the Learnings of the page, even in an organization with many more than others', () =>
  assertReadsFew(async (tx) => {
    const { organizationId } = tenant;
    const scope = { organizations: [{ organization: { id: organizationId } }] } as unknown as OrgScope;
    const page = { now: new Date(), after: undefined, limit: 10, maxBytes: 1_000_000 };
    const { rows } = await findPage(tx, scope, organizationId, {}, page);
    assert.equal(rows.length, 11);
  }));

test('a page of teams reads the members of those teams, not all members of the organization', () =>
  assertReadsFew(async (_, database) => {
    const scope = { organizations: [{ organization: { id: tenant.crowdedId } }] } as unknown as OrgScope;
    const filters = { search: undefined, source: undefined, userId: undefined };
    const { teams } = await listTeams({ database }, { scope }, filters, { after: undefined, limit: 5 });
    assert.deepEqual(
      teams.map(({ member_count }) => member_count),
      [20, 20, 20, 20, 20],
    );
  }, 1000));

test('due deliveries are found without reading webhooks that have none', () =>
  assertReadsFew(async (tx, database) => {
    const { organizationId } = tenant;
    await tx`
      INSERT INTO webhook_deliveries (organization_id, webhook_id, id, type, subject, data, created_at, status, next_attempt_at)
      VALUES (${organizationId}, ${organizationId}, ${organizationId}, 'type', 'subject', '{}', ${origin.now}, 'waiting', ${origin.now})`;
    const { claimed } = await claimDeliveries(database, origin.now, 256, {
      ofWebhook: new Map(),
      ofOrganization: new Map(),
    });
    assert.deepEqual(
      claimed.map(({ webhookId }) => webhookId),
      [organizationId],
    );
  }));

test('organizations whose metrics have to be moved are found without reading the others', () =>
  assertReadsFew(async (tx) => {
    await tx`UPDATE organizations SET metrics_isolated = true WHERE id = ${tenant.organizationId}`;
    assert.deepEqual(await findPendingMoves(tx), [tenant.organizationId]);
  }));

test('the audit chain of an organization is found without reading the others', () =>
  assertReadsFew(async (tx) => {
    const chains = await findChains(tx, { provider: 'github', org_id: tenant.orgId });
    assert.deepEqual(
      chains.map(({ chain_id }) => chain_id),
      [tenant.organizationId],
    );
  }));

test('which keys the secrets need is found without reading all secrets', () =>
  assertReadsFew(async (tx) => {
    const vault = new Vault({ origin: 'environment', keys: [newKey()] });
    assert.deepEqual(await vault.missingKeys(tx), ['key']);
  }));

test('deleting a secret does not read everything that could refer to it', () =>
  assertReadsFew(async (tx) => {
    await tx`DELETE FROM former_signing_secrets WHERE organization_id = ${tenant.organizationId}`;
    await tx`DELETE FROM webhooks WHERE id = ${tenant.organizationId}`;
    await tx`DELETE FROM sealed_secrets WHERE id = ${tenant.organizationId}`;
  }));

test('waiting and running work is counted without reading finished work', async () => {
  const unit = {
    name: 'unit',
    atOnce: 1,
    maxSeconds: 60,
    retries: { count: 0, firstPauseSeconds: 1, maxPauseSeconds: 1 },
  };
  const units = () => [{ ...unit, run: async () => {} }];
  const queue = createWorkQueue({ target: own.target, units, onError: () => {} });
  const [one] = units();
  const { sql } = own.database;
  try {
    for (let n = 1; n <= 3; n += 1) await queue.enqueue(sql, one!, {}, { key: String(n) });
    await sql`UPDATE work.job SET state = 'active', created_on = now() - interval '1 hour' WHERE singleton_key = '1'`;
    await sql`
      INSERT INTO work.job (name, state, policy, singleton_key)
      SELECT 'unit', 'completed', 'stately', 'done-' || n FROM generate_series(1, 3000) AS n`;
    await sql`VACUUM ANALYZE work.job`;
    await assertReadsFew(async (tx) => {
      const [state] = await queue.state(tx);
      assert.deepEqual([state!.waiting, state!.running], [2, 1]);
      assert.ok(Date.now() - state!.oldestWaitingAt!.getTime() < 30 * 60_000, 'what runs does not wait');
    });
  } finally {
    await queue.stop();
  }
});

// Scanning a whole index counts as reading only the matching rows, so the test above does not detect it.
test('everything that refers to a secret has an index that begins with the reference', async () => {
  const without = await own.database.sql<{ place: string }[]>`
    SELECT c.conrelid::regclass || '.' || a.attname AS place FROM pg_constraint c
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'f' AND c.confrelid = 'sealed_secrets'::regclass
      AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1])`;
  assert.deepEqual(
    without.map(({ place }) => place),
    [],
  );
});
