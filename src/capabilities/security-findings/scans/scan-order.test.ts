import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorToken, startTestApp } from '../../../../test/harness.ts';
import fc from '../../../../test/properties.ts';
import { finding, scannedOrganization } from '../../../../test/scanned-organization.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { fingerprintOf as finalFingerprint } from '../../../lib/sarif/fingerprint.ts';
import { findingId } from './finding-id.ts';
import { covers } from './scan-coverage.ts';

const RUNS = 60;
const PATHS = ['src/a.ts', 'src/deep/b.ts', 'lib/c.ts'];
const NAMES = ['f1', 'f2', 'f3', 'f4'];

const app = await startTestApp();
const repositories = Array.from({ length: RUNS * 3 }, (_, index) => String(1000 + index));
const org = await scannedOrganization(app, {
  repositories: repositories.map((id) => ({ provider_repository_id: id, name: `r-${id}` })),
});

interface Detection {
  name: string;
  path: string;
  line: number;
  suppressed: boolean;
}
interface Scan {
  day: number;
  scanId: string;
  directories: string[] | null;
  isSarif: boolean;
  found: Detection[];
}
interface Dismissal {
  name: string;
  day: number;
}

const scan: fc.Arbitrary<Scan> = fc
  .record({
    day: fc.integer({ min: 1, max: 6 }),
    scanId: fc.constantFrom('s1', 's2'),
    directories: fc.option(fc.subarray(['src', 'src/deep', 'lib'], { minLength: 1 })),
    isSarif: fc.boolean(),
    found: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom(...NAMES),
        path: fc.constantFrom(...PATHS),
        line: fc.integer({ min: 1, max: 99 }),
        suppressed: fc.boolean(),
      }),
      { selector: ({ name }) => name },
    ),
  })
  .map((given) => ({
    ...given,
    found: given.found
      .filter(({ path }) => covers(given.directories, path))
      .map((each) => ({ ...each, suppressed: given.isSarif && each.suppressed })),
  }));
const history = fc.record({
  scans: fc.uniqueArray(scan, { maxLength: 6, selector: ({ day, scanId }) => `${day}/${scanId}` }),
  dismissals: fc.array(fc.record({ name: fc.constantFrom(...NAMES), day: fc.integer({ min: 1, max: 6 }) }), {
    maxLength: 2,
  }),
  /** The order of arrival is the order of these keys. */
  keys: fc.array(fc.integer(), { minLength: 8, maxLength: 8 }),
  batch: fc.integer({ min: 1, max: 8 }),
});

/** A fingerprint in our own form, which is used unchanged: the finding stays the same when its file moves. */
function fingerprintOf(name: string): string {
  return finalFingerprint(name, 1);
}

function at(day: number): string {
  return new Date(Date.UTC(2026, 0, day)).toISOString();
}

interface PlayedFinding extends Detection {
  first: string;
  last: string;
  scanId: string;
  fixed: string | null;
}

/** The expected findings: the scans applied in the order of their times. */
function play(scans: readonly Scan[], dismissals: readonly Dismissal[]) {
  const known = new Map<string, PlayedFinding>();
  const ordered = scans.toSorted((a, b) => a.day - b.day || (a.scanId < b.scanId ? -1 : 1));
  for (const { day, scanId, directories, found } of ordered) {
    for (const [name, entry] of known) {
      const isMissing = !found.some((each) => each.name === name) && covers(directories, entry.path);
      if (isMissing) entry.fixed ??= at(day);
    }
    for (const { name, path, line, suppressed } of found) {
      const first = known.get(name)?.first ?? at(day);
      known.set(name, { name, path, line, suppressed, first, last: at(day), scanId, fixed: null });
    }
  }
  return [...known.values()]
    .map(({ suppressed, ...entry }) => {
      const isDismissed = suppressed || dismissals.some(({ name }) => name === entry.name);
      const state = entry.fixed !== null ? 'fixed' : isDismissed ? 'dismissed' : 'open';
      return { ...entry, state };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function sarifOf(found: readonly Detection[]) {
  const results = found.map(({ name, path, line, suppressed }) => ({
    ruleId: 'rule',
    message: { text: name },
    fingerprints: { given: fingerprintOf(name) },
    locations: [{ physicalLocation: { artifactLocation: { uri: path }, region: { startLine: line } } }],
    suppressions: suppressed ? [{ kind: 'external' }] : [],
  }));
  return { version: '2.1.0', runs: [{ tool: { driver: { name: 'scanner' } }, results }] };
}

function scanEvent(repositoryId: string, { day, scanId, directories, isSarif, found }: Scan) {
  const native = found.map(({ name, path, line }) =>
    finding({
      rule_id: 'rule',
      title: name,
      fingerprint: fingerprintOf(name),
      file_path: path,
      start_line: line,
      end_line: line,
    }),
  );
  return org.scan(day, isSarif ? null : native, {
    repository_id: repositoryId,
    scan_id: scanId,
    ...(directories && { coverage_scope: 'directories', directories }),
    ...(isSarif ? { sarif: sarifOf(found) } : { tool: 'scanner' }),
  });
}

async function findingsOf(repositoryId: string) {
  const answer = await org.get(`?state=all&limit=1000&repo_id=${repositoryId}`);
  return answer.json.data
    .map((row: Awaited<ReturnType<typeof org.all>>[number]) => ({
      name: row.title,
      path: row.file_path,
      line: row.start_line,
      first: row.first_detected_at,
      last: row.last_seen_at,
      scanId: row.scan_provenance.scanId,
      fixed: row.fixed_at,
      state: row.state,
    }))
    .sort((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1));
}

async function idIn(repositoryId: string, name: string): Promise<string> {
  const [row] = await app.database.sql<{ organization_id: OrganizationId; id: RepositoryId }[]>`
    SELECT r.organization_id, r.id FROM repositories r JOIN organizations o ON o.id = r.organization_id
    WHERE o.provider_organization_id = ${org.orgId} AND provider_repository_id = ${repositoryId}`;
  return findingId(row!.organization_id, row!.id, fingerprintOf(name));
}

async function eventsOf(repositoryId: string, scans: readonly Scan[], dismissals: readonly Dismissal[]) {
  const dismissed = dismissals.map(async ({ name, day }) =>
    org.dismissal(day, await idIn(repositoryId, name)),
  );
  return [...scans.map((each) => scanEvent(repositoryId, each)), ...(await Promise.all(dismissed))];
}

test('scans and dismissals lead to the state of the newest, in any order and any batches', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ scans, dismissals, keys, batch }) => {
      const repositoryId = repositories.pop()!;
      const events = await eventsOf(repositoryId, scans, dismissals);
      const arrival = events
        .map((event, index) => ({ event, key: keys[index]! }))
        .sort((a, b) => a.key - b.key)
        .map(({ event }) => event);
      for (let start = 0; start < arrival.length; start += batch)
        await org.send(...arrival.slice(start, start + batch));
      assert.deepEqual(await findingsOf(repositoryId), play(scans, dismissals));
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

test('scans and dismissals that reach two nodes concurrently lead to the state of the newest', async () => {
  const other = await app.secondNode();
  const send = (node: Pick<typeof app, 'call'>, event: unknown) =>
    node.call('POST', '/operator/v1/events', {
      body: event,
      headers: {
        authorization: `Bearer ${operatorToken}`,
        'content-type': 'application/cloudevents+json',
      },
    });
  await fc.assert(
    fc.asyncProperty(history, async ({ scans, dismissals }) => {
      const repositoryId = repositories.pop()!;
      const events = await eventsOf(repositoryId, scans, dismissals);
      const answers = await Promise.all(
        events.map((event, index) => send(index % 2 === 0 ? app : other, event)),
      );
      for (const answer of answers) assert.equal(answer.json.accepted, 1, answer.text);
      assert.deepEqual(await findingsOf(repositoryId), play(scans, dismissals));
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
