import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import {
  finding,
  type ScannedOrganization,
  scannedOrganization,
} from '../../../../test/scanned-organization.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { alikeKey, fingerprintOf } from '../../../lib/sarif/fingerprint.ts';
import { at, logOf, resultWith } from '../../../lib/sarif/fixtures/logs.ts';
import { toolKey } from '../../../lib/sarif/scan-tool.ts';
import { findingId } from '../scans/finding-id.ts';

const app = await startTestApp();

/** The id that the finding of `finding()` will get in repository 501, known before any scan. */
async function expectedId({ orgId }: ScannedOrganization): Promise<string> {
  const [row] = await app.database.sql<{ organization_id: OrganizationId; id: RepositoryId }[]>`
    SELECT r.organization_id, r.id FROM repositories r JOIN organizations o ON o.id = r.organization_id
    WHERE o.provider_organization_id = ${orgId} AND r.provider_repository_id = '501'`;
  const alike = alikeKey(toolKey({ source: '/scanner' }), {
    ruleId: 'sql-injection',
    filePath: 'src/app.ts',
    title: 'SQL injection',
  });
  return findingId(row!.organization_id, row!.id, fingerprintOf(alike, 1));
}

/** The suppressions in the SARIF export, which contain the reason and author of a dismissal. */
async function suppressions(org: ScannedOrganization) {
  const log = JSON.parse((await org.get('?state=all&format=sarif')).text);
  return log.runs[0].results[0].suppressions;
}

async function auditOf({ orgId }: ScannedOrganization) {
  return app.database.sql`
    SELECT a.action, a.resource_type, a.resource_id, a.resource_summary, a.actor_name, a.metadata
    FROM audit_entries a JOIN organizations o ON o.id = a.organization_id
    WHERE o.provider_organization_id = ${orgId} AND a.action LIKE 'security%' ORDER BY a.position`;
}

test('a dismissed finding stays dismissed while it is found, is fixed once it is gone, and dismissed if it returns', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [finding()]));
  const [row] = await org.all();
  await org.send(org.dismissal(2, row!.id));
  assert.equal((await org.all())[0]?.state, 'dismissed');
  await org.send(org.scan(3, [finding({ start_line: 40, end_line: 41 })]));
  assert.equal((await org.all())[0]?.state, 'dismissed');
  await org.send(org.scan(4, []));
  assert.equal((await org.all())[0]?.state, 'fixed');
  await org.send(org.scan(5, [finding()]));
  assert.equal((await org.all())[0]?.state, 'dismissed');
});

test('a dismissal that arrives before its finding is invisible, and is applied when the finding arrives', async () => {
  const org = await scannedOrganization(app);
  const id = await expectedId(org);
  await org.send(org.dismissal(5, id, 'Accepted risk', 'bob'));
  assert.deepEqual(await org.all(), []);
  assert.equal((await org.get('?state=all&format=csv')).text.trim().split('\r\n').length, 1);
  assert.deepEqual(JSON.parse((await org.get('?state=all&format=sarif')).text).runs, []);
  await org.send(org.scan(1, [finding()]));
  const [row] = await org.all();
  assert.deepEqual([row?.id, row?.state], [id, 'dismissed']);
  assert.equal((await suppressions(org))[0].justification, 'Accepted risk');
});

test('the newest of several dismissals counts, whatever order they arrive in', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [finding()]));
  const id = (await org.all())[0]!.id;
  await org.send(org.dismissal(4, id, 'newest', 'bob'), org.dismissal(3, id, 'older', 'alice'));
  await org.send(org.dismissal(2, id, 'oldest', 'carol'));
  const [suppression] = await suppressions(org);
  assert.deepEqual([suppression.justification, suppression.properties.by], ['newest', 'bob']);
});

test('a dismissal is audited with the actor System, once', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [finding()]));
  const id = (await org.all())[0]!.id;
  const event = org.dismissal(3, id, 'Accepted risk', 'bob');
  await org.send(event);
  await app.events([event]);
  await org.send(org.dismissal(3, id, 'Accepted risk', 'bob'), org.dismissal(2, id, 'older', 'alice'));
  assert.deepEqual(
    (await auditOf(org)).map((entry) => ({ ...entry })),
    [
      {
        action: 'security_finding.dismissed',
        resource_type: 'security_finding',
        resource_id: id,
        resource_summary: 'SQL injection',
        actor_name: 'System',
        metadata: { reason: 'Accepted risk', by: 'bob' },
      },
    ],
  );
});

test("a dismissal in one organization does not affect another's finding", async () => {
  const org = await scannedOrganization(app);
  const other = await scannedOrganization(app);
  await org.send(org.scan(1, [finding()]));
  const id = (await org.all())[0]!.id;
  await other.send(other.dismissal(2, id));
  assert.equal((await org.all())[0]?.state, 'open');
  assert.deepEqual(await other.all(), []);
});

test('an invalid dismissal is reported with its fault', async () => {
  const org = await scannedOrganization(app);
  const id = await expectedId(org);
  const answer = await app.events([
    org.dismissal(1, 'no-uuid'),
    org.dismissal(1, id, ' '),
    org.dismissal(1, id, 'reason', ''),
  ]);
  assert.deepEqual(
    answer.json.errors.map((error: { code: string; message: string }) => [
      error.code,
      error.message.split(':', 1)[0],
    ]),
    [
      ['INVALID_REQUEST', 'data.finding_id'],
      ['INVALID_REQUEST', 'data.reason'],
      ['INVALID_REQUEST', 'data.by'],
    ],
  );
});

test('a suppression by the scanner dismisses the finding with its justification while it is in effect', async () => {
  const org = await scannedOrganization(app);
  const log = (entries: unknown[]) => ({
    sarif: logOf([resultWith({ locations: [at('src/app.ts', 3)], suppressions: entries })]),
  });
  const accepted = { kind: 'external', status: 'accepted', justification: 'Only in tests' };
  await org.send(org.scan(1, null, log([accepted])));
  assert.equal((await org.all())[0]?.state, 'dismissed');
  assert.equal((await suppressions(org))[0].justification, 'Only in tests');
  await org.send(org.scan(2, null, log([{ ...accepted, status: 'rejected' }])));
  assert.equal((await org.all())[0]?.state, 'open');
  await org.send(org.dismissal(3, (await org.all())[0]!.id, 'By a person', 'bob'));
  await org.send(org.scan(4, null, log([accepted])));
  assert.equal((await suppressions(org))[0].justification, 'By a person');
});
