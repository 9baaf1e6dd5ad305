import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import fc from '../../../../test/properties.ts';
import {
  finding,
  type ScannedOrganization,
  scannedOrganization,
} from '../../../../test/scanned-organization.ts';
import { at, logOf, resultWith } from '../../../lib/sarif/fixtures/logs.ts';

const RUNS = 25;

const app = await startTestApp();
const alikeAt = (...lines: number[]) => lines.map((line) => finding({ start_line: line, end_line: line }));
const logAt = (...lines: number[]) => ({
  sarif: logOf(lines.map((line) => resultWith({ locations: [at('src/app.ts', line)] }))),
});

/** The state of each finding that is not fixed, by line. */
async function statesByLine(org: ScannedOrganization) {
  const rows = (await org.all()).filter(({ state }) => state !== 'fixed');
  return Object.fromEntries(rows.map(({ start_line, state }) => [start_line, state]));
}

async function idAt(org: ScannedOrganization, line: number): Promise<string> {
  return (await org.all()).find(({ start_line, state }) => start_line === line && state !== 'fixed')!.id;
}

for (const form of ['native', 'SARIF'] as const) {
  const scan = (org: ScannedOrganization, day: number, ...lines: number[]) =>
    form === 'native' ? org.scan(day, alikeAt(...lines)) : org.scan(day, null, logAt(...lines));

  test(`a dismissal stays with its finding when that is fixed (${form})`, async () => {
    const org = await scannedOrganization(app);
    await org.send(scan(org, 1, 5, 17, 27, 40));
    const dismissed = await idAt(org, 5);
    const last = await idAt(org, 40);
    await org.send(org.dismissal(2, dismissed), scan(org, 3, 17, 27, 40));
    assert.deepEqual(await statesByLine(org), { 17: 'open', 27: 'open', 40: 'open' });
    const rows = new Map((await org.all()).map((row) => [row.id, row.state]));
    assert.deepEqual([rows.get(dismissed), rows.get(last), rows.size], ['fixed', 'open', 4]);
    await org.send(scan(org, 4, 19, 29, 42, 60));
    assert.deepEqual(await statesByLine(org), { 19: 'open', 29: 'open', 42: 'open', 60: 'open' });
    await org.send(scan(org, 5, 5, 19, 29, 42, 60));
    assert.equal(await idAt(org, 5), dismissed);
    assert.equal((await statesByLine(org))[5], 'dismissed');
  });

  test(`the same scan again, and one that comes late, keep all numbers (${form})`, async () => {
    const org = await scannedOrganization(app);
    await org.send(scan(org, 1, 5, 17), scan(org, 3, 11, 23), scan(org, 5, 17, 29));
    const before = await org.all();
    assert.equal(before.length, 2);
    await org.send(scan(org, 1, 5, 17), scan(org, 5, 17, 29), scan(org, 4, 12, 24));
    assert.deepEqual(await org.all(), before);
  });

  test(`parts of one scan are not mistaken for moves (${form})`, async () => {
    const org = await scannedOrganization(app);
    const part = (line: number) => {
      const event = scan(org, 1, line);
      return { ...event, data: { ...(event.data as object), scan_id: 's' } };
    };
    await org.send(part(5), part(17), part(5));
    assert.deepEqual(await statesByLine(org), { 5: 'open', 17: 'open' });
  });
}

test('findings on one line that differ only in their columns stay distinct', async () => {
  const org = await scannedOrganization(app);
  const result = (startColumn: number) =>
    resultWith({
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'a.ts' },
            region: { startLine: 3, startColumn, endColumn: startColumn + 4 },
          },
        },
      ],
    });
  const scan = (day: number, ...columns: number[]) =>
    org.scan(day, null, { sarif: logOf(columns.map(result)) });
  await org.send(scan(1, 1, 12, 30, 12));
  const before = await org.all();
  assert.equal(before.length, 3);
  await org.send(scan(2, 12));
  const states = (await org.all()).map(({ state }) => state).sort();
  assert.deepEqual(states, ['fixed', 'fixed', 'open']);
  await org.send(scan(3, 30, 12, 1));
  assert.deepEqual(new Set((await org.all()).map(({ id }) => id)), new Set(before.map(({ id }) => id)));
});

/** A finding in the model, wherever it is now. */
interface ModelFinding {
  name: number;
  line: number;
}
type Step = { kind: 'fix' | 'move' | 'add' | 'dismiss'; pick: number; line: number; by: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('fix', 'move', 'add', 'dismiss'),
    pick: fc.nat(20),
    line: fc.integer({ min: 1, max: 90 }),
    by: fc.integer({ min: 1, max: 12 }),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Applies a step to the model; undefined if the result would be ambiguous by places alone. */
function applyStep(
  findings: readonly ModelFinding[],
  used: ReadonlySet<number>,
  { kind, pick, line, by }: Step,
) {
  const lines = new Set(findings.map((finding) => finding.line));
  if (kind === 'fix') return findings.length < 2 ? undefined : findings.toSpliced(pick % findings.length, 1);
  if (kind === 'add')
    return used.has(line) ? undefined : [...findings, { name: 1_000 * used.size + line, line }];
  if (kind === 'dismiss') return [...findings];
  const moved = findings.map((finding) =>
    finding.line >= line ? { ...finding, line: finding.line + by } : finding,
  );
  const isUnclear = moved.some(
    (finding) => !findings.includes(finding) && (lines.has(finding.line) || used.has(finding.line)),
  );
  return isUnclear ? undefined : moved;
}

test('ids and dismissals stay with their findings, whatever is fixed, moved or added', async () => {
  const repositories = Array.from({ length: RUNS }, (_, index) => String(7_000 + index));
  const org = await scannedOrganization(app, {
    repositories: repositories.map((id) => ({ provider_repository_id: id, name: `r-${id}` })),
  });
  const start = fc.uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(start, steps, fc.boolean(), async (lines, todo, isSarif) => {
      const repository_id = repositories.pop()!;
      const used = new Set(lines);
      const ids = new Map<number, string>();
      const dismissed = new Set<number>();
      let findings: ModelFinding[] = lines.map((line) => ({ name: line, line }));
      let minute = 0;
      const report = async () => {
        const now = findings.map(({ line }) => line);
        minute += 1;
        const time = new Date(Date.UTC(2026, 2, 1, 0, minute)).toISOString();
        const form = isSarif ? logAt(...now) : {};
        await org.send(org.scan(time, isSarif ? null : alikeAt(...now), { repository_id, ...form }));
        const rows = (await org.get(`?state=all&limit=1000&repo_id=${repository_id}`)).json.data;
        for (const { name, line } of findings) {
          const row = rows.find(
            (each: { start_line: number; state: string }) =>
              each.start_line === line && each.state !== 'fixed',
          );
          assert.ok(row, `nothing is known at line ${line}`);
          assert.equal(ids.get(name) ?? row.id, row.id, `the id of the finding at line ${line} changed`);
          ids.set(name, row.id);
          assert.equal(row.state, dismissed.has(name) ? 'dismissed' : 'open', `line ${line}`);
        }
        assert.equal(
          rows.filter(({ state }: { state: string }) => state !== 'fixed').length,
          findings.length,
        );
        assert.equal(rows.length, ids.size);
      };
      await report();
      for (const step of todo) {
        const next = applyStep(findings, used, step);
        if (next === undefined) continue;
        findings = next.sort((a, b) => a.line - b.line);
        for (const { line } of findings) used.add(line);
        if (step.kind === 'dismiss') {
          const { name } = findings[step.pick % findings.length]!;
          dismissed.add(name);
          await org.send(org.dismissal(1, ids.get(name)!));
        }
        await report();
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
