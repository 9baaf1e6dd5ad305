import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import {
  finding,
  type ScannedOrganization,
  scannedOrganization,
} from '../../../../test/scanned-organization.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { legacyFingerprint } from '../../../lib/sarif/fingerprint.ts';
import { at, logOf, resultWith } from '../../../lib/sarif/fixtures/logs.ts';
import { findingId } from './finding-id.ts';

const app = await startTestApp();
const { sql } = app.database;

/** Stores a finding and its scan of day 1 as older versions did, which did not distinguish tools. */
async function storeLegacyFinding(
  org: ScannedOrganization,
  filePath: string,
  line: number,
  occurrence: number,
) {
  const [repository] = await sql<{ organization_id: OrganizationId; id: RepositoryId }[]>`
    SELECT r.organization_id, r.id FROM repositories r JOIN organizations o ON o.id = r.organization_id
    WHERE o.provider_organization_id = ${org.orgId} AND r.provider_repository_id = '501'`;
  const { organization_id, id: repositoryId } = repository!;
  const input = { ruleId: 'R1', filePath, title: 'Wrong', partialFingerprint: 'Wrong' };
  const fingerprint = legacyFingerprint(input, occurrence);
  const id = findingId(organization_id, repositoryId, fingerprint);
  await sql`
    INSERT INTO security_scans (organization_id, repository_id, scanned_at, scan_id, tool)
    VALUES (${organization_id}, ${repositoryId}, '2026-01-01', 'scan-1', '*') ON CONFLICT DO NOTHING`;
  await sql`
    INSERT INTO security_findings (organization_id, id, repository_id, fingerprint, rule_id, title, severity, cwe,
      file_path, start_line, end_line, revision, scan_id, coverage_scope, first_detected_at, last_seen_at)
    VALUES (${organization_id}, ${id}, ${repositoryId}, ${fingerprint}, 'R1', 'Wrong', 'medium', '{}', ${filePath},
      ${line}, ${line}, 'rev-1', 'scan-1', 'repository', '2026-01-01', '2026-01-01')`;
  return id;
}

const wrongAt = (uri: string, line: number) =>
  resultWith({ message: { text: 'Wrong' }, locations: [at(uri, line)] });

test('the first tool that reports a legacy finding takes it over, with its id and dismissal', async () => {
  const org = await scannedOrganization(app);
  const ids = [await storeLegacyFinding(org, 'a.ts', 5, 1), await storeLegacyFinding(org, 'a.ts', 17, 2)];
  const absolute = await storeLegacyFinding(org, 'home/ci/b.ts', 3, 1);
  await org.send(org.dismissal(2, ids[0]!));
  const results = [wrongAt('a.ts', 19), wrongAt('a.ts', 7), wrongAt('file:///home/ci/b.ts', 3)];
  await org.send(org.scan(3, null, { sarif: logOf(results) }));
  const rows = (await org.all()).map(({ id, file_path, start_line, state, first_detected_at }) => ({
    id,
    place: `${file_path}:${start_line}`,
    state,
    first: first_detected_at.slice(0, 10),
  }));
  assert.deepEqual(
    rows.sort((a, b) => (a.place < b.place ? -1 : 1)),
    [
      { id: absolute, place: '/home/ci/b.ts:3', state: 'open', first: '2026-01-01' },
      { id: ids[1], place: 'a.ts:19', state: 'open', first: '2026-01-01' },
      { id: ids[0], place: 'a.ts:7', state: 'dismissed', first: '2026-01-01' },
    ],
  );
  await org.send(org.scan(4, [finding()], { tool: 'Other' }), org.scan(5, null, { sarif: logOf([]) }));
  const states = new Map((await org.all()).map(({ id, state }) => [id, state]));
  assert.deepEqual(
    [...ids, absolute].map((id) => states.get(id)),
    ['fixed', 'fixed', 'fixed'],
  );
  assert.equal(states.size, 4);
});

test('legacy findings that no tool reports any more are closed by the next scan', async () => {
  const org = await scannedOrganization(app);
  await storeLegacyFinding(org, 'a.ts', 5, 1);
  await org.send(org.scan(2, []));
  assert.deepEqual(await org.states(), { Wrong: 'fixed' });
});

test('a legacy scan covers every tool: findings of an earlier scan that arrives late are fixed by it', async () => {
  const org = await scannedOrganization(app);
  await storeLegacyFinding(org, 'other.ts', 5, 1);
  await org.send(org.scan('2025-12-31T00:00:00Z', [finding()]));
  const [late] = (await org.all()).filter(({ title }) => title === 'SQL injection');
  assert.equal(late?.fixed_at, '2026-01-01T00:00:00.000Z');
});

test('legacy findings can be exported and read back', async () => {
  const org = await scannedOrganization(app);
  await storeLegacyFinding(org, 'a.ts', 5, 1);
  const before = await org.all();
  const log = JSON.parse((await org.get('?state=all&format=sarif')).text);
  assert.equal(log.runs[0].tool.driver.name, 'Postil');
  await org.send(org.scan(2, null, { sarif: log }));
  const facts = (rows: typeof before) => rows.map(({ last_seen_at, scan_provenance, ...rest }) => rest);
  assert.deepEqual(facts(await org.all()), facts(before));
  await org.send(org.scan(3, null, { sarif: logOf([wrongAt('a.ts', 5)]) }));
  assert.deepEqual(
    (await org.all()).map(({ id }) => id),
    before.map(({ id }) => id),
  );
});
