import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliver, settled } from '../../../test/hosts/connected-host.ts';
import { startReviewingApp } from '../../../test/hosts/reviewing-app.ts';
import { importAdvisories } from '../advisories/import-advisories.ts';

const { app, host, addRepository, adaKey, forge, connectionId } = await startReviewingApp();
const long = { timeout: 600_000 };
app.now = new Date('2026-11-17T12:00:00Z');

const lockOf = (packages: Record<string, { version: string; license?: string }>) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { 'left-pad': '^1.0.0' } },
      ...Object.fromEntries(Object.entries(packages).map(([name, each]) => [`node_modules/${name}`, each])),
    },
  });
const files = {
  'package.json': JSON.stringify({ dependencies: { 'left-pad': '^1.0.0' } }),
  'package-lock.json': lockOf({
    'left-pad': { version: '1.3.0', license: 'MIT' },
    '@s/deep': { version: '2.0.0' },
  }),
  'tools/requirements.txt': 'flask==3.0.0\nrequests>=2\n',
  'tools/poetry.lock': '[[package]]\nname = "broken\nversion\n',
  '.github/workflows/build.yml': 'jobs:\n  a:\n    steps:\n      - uses: acme/tools/setup@v1\n',
};
const one = await addRepository(files);
const other = await addRepository({ 'package-lock.json': lockOf({ 'left-pad': { version: '1.2.0' } }) });
const key = await adaKey();

/** Some repositories of the sample host have no code, and are tried again later. */
const settle = () => settled(app, ['evaluate-findings', 'read-dependencies']);

async function deliverAll() {
  for (const delivery of host.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
  await settle();
}

async function refresh() {
  for (const name of ['begin inventories', 'read due inventories'])
    await app.app.schedules.find((schedule) => schedule.name === name)!.run(new AbortController().signal);
  await settle();
}
const get = (path: string) => app.call('GET', `/v1/dependencies${path}`, { key });
const nameOf = ({ repository_name, ecosystem, name, version }: Record<string, string>) =>
  `${repository_name} ${ecosystem} ${name} ${version}`;
const advisory = (id: string, fixed: string) => ({
  id,
  summary: 'Pads too much',
  severity: 'major' as const,
  affected: [
    {
      ecosystem: 'npm' as const,
      name: 'left-pad',
      versions: [],
      ranges: [{ events: [{ introduced: '0' }, { fixed }] }],
    },
  ],
});

test(
  'what default branches hold is listed by package, in pages, with what could not be read',
  long,
  async () => {
    await refresh();
    const all = await get('?limit=3');
    assert.equal(all.status, 200, all.text);
    const rest = await get(`?limit=3&cursor=${all.json.next_cursor}`);
    assert.deepEqual([...all.json.data, ...rest.json.data].map(nameOf), [
      'project-1 GitHub Actions acme/tools/setup v1',
      'project-1 PyPI flask 3.0.0',
      'project-1 PyPI requests >=2',
      'project-1 npm @s/deep 2.0.0',
      'project-2 npm left-pad 1.2.0',
      'project-1 npm left-pad 1.3.0',
    ]);
    assert.equal(rest.json.next_cursor, null);
    assert.deepEqual(rest.json.data[2], {
      repository_id: String(one.repository.id),
      repository_name: 'project-1',
      ecosystem: 'npm',
      name: 'left-pad',
      version: '1.3.0',
      fixed: true,
      direct: true,
      licence: 'MIT',
      path: 'package-lock.json',
      vulnerabilities: [],
      severity: null,
    });
    const own = await get(`?repository_id=${other.repository.id}`);
    assert.deepEqual(own.json.data.map(nameOf), ['project-2 npm left-pad 1.2.0']);
    assert.deepEqual((await get('?name=LEFT')).json.data.length, 2);
    assert.deepEqual((await get('?ecosystem=PyPI&name=f')).json.data.map(nameOf), [
      'project-1 PyPI flask 3.0.0',
    ]);
    const { data } = (await get('/repositories')).json;
    const tip = (await one.git('rev-parse', 'HEAD')).trim();
    assert.deepEqual(
      data.find((each: Record<string, string>) => each.repository_name === 'project-1'),
      {
        repository_id: String(one.repository.id),
        repository_name: 'project-1',
        revision: tip,
        read_at: '2026-11-17T12:00:00.000Z',
        packages: 5,
        affected: 0,
        notes: ['tools/poetry.lock was not read: line 3 is not valid TOML'],
      },
    );
    const csv = await get('?format=csv&ecosystem=npm');
    assert.equal(
      csv.text.split('\r\n')[0],
      'repository_id,repository_name,ecosystem,name,version,fixed,direct,licence,path,vulnerabilities,severity',
    );
  },
);

test('imported advisories mark what is affected at once, and withdrawn ones unmark it', long, async () => {
  await importAdvisories(app, { advisories: [advisory('GHSA-1', '1.3.0')], withdrawn: [] });
  await refresh();
  const affected = await get('?affected=true');
  assert.deepEqual(
    affected.json.data.map((each: Record<string, string>) => [
      nameOf(each),
      each.vulnerabilities,
      each.severity,
    ]),
    [['project-2 npm left-pad 1.2.0', ['GHSA-1'], 'major']],
  );
  await importAdvisories(app, { advisories: [], withdrawn: ['GHSA-1'] });
  await refresh();
  assert.deepEqual((await get('?affected=true')).json.data, []);
  await importAdvisories(app, { advisories: [advisory('GHSA-2', '1.4.0')], withdrawn: [] });
  await refresh();
  assert.equal((await get('?affected=true')).json.data.length, 2);
  const { data } = (await get('/repositories')).json;
  assert.deepEqual(
    data.map((each: Record<string, number>) => each.affected).filter((count: number) => count > 0),
    [1, 1],
  );
});

test('a merge has the branch read again, a moved branch replaces what was kept', long, async () => {
  await other.git('checkout', '--quiet', '-b', 'topic');
  await other.commit({ 'package-lock.json': lockOf({ 'right-pad': { version: '1.0.0' } }) });
  const pull = await other.open(forge.ada, 'topic');
  await deliverAll();
  await other.git('checkout', '--quiet', 'main');
  await other.git('merge', '--quiet', 'topic');
  await other.upload('main', 'refs/heads/main');
  app.now = new Date('2026-11-17T13:00:00Z');
  host.state.end(pull, 'merged');
  await deliverAll();
  await refresh();
  const own = await get(`?repository_id=${other.repository.id}`);
  assert.deepEqual(own.json.data.map(nameOf), ['project-2 npm right-pad 1.0.0']);
});

test(
  'a repository is exported as CycloneDX; one that was never read, or is of others, is not found',
  long,
  async () => {
    const answer = await get(`/sbom?repository_id=${one.repository.id}`);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers['content-type'], 'application/vnd.cyclonedx+json; version=1.6');
    const { components, vulnerabilities, metadata, bomFormat, specVersion } = JSON.parse(answer.text);
    assert.deepEqual([bomFormat, specVersion, metadata.component.name], ['CycloneDX', '1.6', 'project-1']);
    assert.deepEqual(
      components.map((each: Record<string, string>) => each.purl),
      [
        'pkg:github/acme/tools@v1#setup',
        'pkg:pypi/flask@3.0.0',
        'pkg:pypi/requests',
        'pkg:npm/%40s/deep@2.0.0',
        'pkg:npm/left-pad@1.3.0',
      ],
    );
    assert.deepEqual(components[4].licenses, [{ expression: 'MIT' }]);
    assert.equal(components[2].version, undefined);
    assert.deepEqual(
      vulnerabilities.map(({ id, affects }: { id: string; affects: unknown }) => [id, affects]),
      [['GHSA-2', [{ ref: 'pkg:npm/left-pad@1.3.0' }]]],
    );
    assert.equal(
      (await get(`/sbom?repository_id=${one.repository.id}`)).text,
      answer.text,
      'the same state is the same document',
    );
    assert.equal((await get('/sbom?repository_id=none')).status, 404);
  },
);

test('Learnings about files that the default branch lacks are noted when it is read', long, async () => {
  const { sql } = app.database;
  await sql`
    INSERT INTO learnings (organization_id, id, repository_id, learning, content_hash, file, author_id, origin, visibility,
      pull_requests, approval, redactor_version, created_at, updated_at, usage_count, index_due_at, index_version)
    SELECT organization_id, gen_random_uuid(), id, file, sha256(file::bytea), file, '1', 'api', 'shared', '{}', 'approved', 1,
      now(), now(), 0, now(), 1
    FROM repositories, unnest(ARRAY['tools/', './tools/poetry.lock', 'tools/gone.py', 'too', '']) AS file
    WHERE provider_repository_id = ${String(one.repository.id)}`;
  await one.commit({ 'README.md': 'Read me' });
  await one.upload('main', 'refs/heads/main');
  app.now = new Date('2026-11-18T12:59:00Z');
  await refresh();
  const missing = await sql`SELECT file FROM learnings WHERE file_missing_since IS NOT NULL ORDER BY file`;
  assert.deepEqual(
    missing.map(({ file }) => file),
    ['too', 'tools/gone.py'],
  );
});

test('what is no longer reviewed is forgotten', long, async () => {
  await app.operator('PATCH', `/operator/v1/connections/${connectionId}`, { review: 'off' });
  app.now = new Date('2026-11-19T13:00:00Z');
  await refresh();
  assert.deepEqual((await get('')).json.data, []);
  assert.deepEqual((await get('/repositories')).json.data, []);
});
