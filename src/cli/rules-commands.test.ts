import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from '../../test/command-line.ts';
import { startTestApp } from '../../test/harness.ts';
import { portOf } from '../../test/late-caller.ts';
import { storeFindings } from '../../test/posted-findings.ts';
import { sampleKeys, samplePlatform } from '../../test/sample-platform.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const POSTIL_URL = `http://127.0.0.1:${await portOf(server)}`;
const withKey = { POSTIL_URL, POSTIL_API_KEY: await server.createKey(sampleKeys.user) };
const rules = (...given: string[]) => runCommand(['rules', ...given], withKey);

test('rules are listed, set and replayed with a key', async () => {
  assert.equal((await rules('list')).out, 'No rule has raised a finding yet\n');
  const [at] = await server.database.sql<{ organizationId: string; repositoryId: string }[]>`
    SELECT o.id AS "organizationId", r.id AS "repositoryId" FROM organizations o JOIN repositories r ON r.organization_id = o.id
    WHERE o.provider_organization_id = '1001' AND r.provider_repository_id = '501'`;
  const finding = (index: number) => ({
    id: `f${index}`,
    pull: 1 + (index % 4),
    rules: ['ruff/F401'],
    accepted: index === 0 ? true : index === 1 ? null : false,
    postedAt: new Date(Date.UTC(2026, 0, 1 + index)),
  });
  await storeFindings(
    server.database.sql,
    at!,
    Array.from({ length: 102 }, (_, index) => finding(index)),
  );
  await server.database.sql`
    INSERT INTO finding_outcomes (organization_id, repository_id, subject, finding_id, accepted, changed_at, is_reported)
    SELECT organization_id, repository_id, 'pull/' || pull_request, finding_id, accepted, posted_at + interval '1 hour', true
    FROM review_findings`;
  const listed = await rules('list');
  assert.match(listed.out, /^RULE +STATE.*\nruff\/F401 +quiet +102 +1\.0 % +1 +100 +1\n$/);
  assert.ok(JSON.parse((await rules('list', '--all', '--json')).out).length > 200);

  const replay = await rules('replay');
  assert.match(
    replay.out,
    /^4 pull requests; rules become quiet after 20 known outcomes, if their acceptance is below 20\.0 %\n\n/,
  );
  assert.match(replay.out, /\nbefore +102 +25\.50 +1\.0 % +1 +100 +1\nafter +\d\d /);
  assert.match(replay.out, /\nruff\/F401 +102 +\d\d +0\n$/);
  assert.equal((await rules('replay')).out, replay.out);
  assert.match(
    (await rules('replay', '--min-outcomes', '1000')).out,
    /Every comment would have been posted\n$/,
  );

  assert.equal((await rules('set', 'ruff/F401', 'pinned')).out, 'ruff/F401 is pinned\n');
  assert.equal((await rules('set', 'ruff/F401', 'automatic')).out, 'ruff/F401 is quiet\n');
});

test('missing and unknown values are reported', async () => {
  const without = await runCommand(['rules', 'list'], { POSTIL_URL });
  assert.deepEqual([without.code, without.err], [2, 'Set POSTIL_API_KEY to an API key of this server\n']);
  const unknown = await rules('set', 'tool/none', 'off');
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /\(404\): There is no such rule/);
  assert.equal((await rules('set', 'ruff/F401', 'loud')).code, 2);
  assert.equal((await rules('replay', '--mute-below', '7')).code, 2);
});
