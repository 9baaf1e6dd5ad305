import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ProviderOrgId, ProviderRepositoryId } from '../../../lib/ids.ts';
import type { PullRequestData } from '../../pull-requests/pull-request-data.ts';
import { countsText, entryText, factsText, parseCounts, parseFindings } from './entry-text.ts';
import {
  classOf,
  isNewPlace,
  type ReviewRecord,
  withMcpUsage,
  withOutcome,
  withPullRequest,
} from './pull-request-record.ts';

const url = 'https://github.test/acme/api/pull/7';
const created = new Date('2026-03-01T00:00:00Z');
const merged = new Date('2026-03-10T00:00:00Z');

type Step = (record: ReviewRecord | undefined) => ReviewRecord | undefined;
type Sent = NonNullable<PullRequestData['findings']>;

function told(timeMs: number, fields: Partial<PullRequestData> = {}): Step {
  const data = {
    repository_id: '501',
    number: 7,
    url,
    state: 'merged' as const,
    created_at: created,
    merged_at: merged,
    ...fields,
  };
  return (record) =>
    withPullRequest(record, {
      index: timeMs,
      time: new Date(timeMs),
      orgId: '1001' as ProviderOrgId,
      repositoryId: '501' as ProviderRepositoryId,
      data,
    });
}

function outcome(timeMs: number, findingId: string, accepted: boolean | null): Step {
  return (record) => record && withOutcome(record, findingId, { accepted, timeMs });
}

function usage(timeMs: number, servers: string): Step {
  return (record) => record && withMcpUsage(record, { servers, timeMs }, timeMs);
}

function run(steps: readonly Step[], from?: ReviewRecord): ReviewRecord {
  return steps.reduce<ReviewRecord | undefined>((record, step) => step(record), from)!;
}

/** As if it were written, so that it has a place in both lists. */
function written(record: ReviewRecord): ReviewRecord {
  return {
    ...record,
    place: isNewPlace(record.place) ? 1 : record.place,
    mcpPlace: isNewPlace(record.mcpPlace) ? 2 : record.mcpPlace,
  };
}

const one: Sent = [{ finding_id: 'a', url: `${url}#1`, severity: 'major', category: 'security_and_privacy' }];

const findings = fc.option(
  fc.uniqueArray(
    fc.record(
      {
        finding_id: fc.constantFrom('a', 'b', 'c'),
        url: fc.constantFrom('u', 'v'),
        severity: fc.constantFrom('major', 'info', 'unheard of', null),
        category: fc.constantFrom('security_and_privacy', 'odd', null),
        accepted: fc.constantFrom(true, false, null),
      },
      { requiredKeys: ['finding_id', 'url', 'severity', 'category'] },
    ),
    { selector: ({ finding_id }) => finding_id, maxLength: 3 },
  ),
  { nil: undefined },
);
const state = fc.constantFrom('open', 'merged', 'closed' as const) as fc.Arbitrary<PullRequestData['state']>;
const step: fc.Arbitrary<(timeMs: number) => Step> = fc.oneof(
  fc.tuple(state, findings).map(
    ([newState, sent]) =>
      (timeMs: number) =>
        told(timeMs, { state: newState, ...(sent !== undefined && { findings: sent }) }),
  ),
  fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(true, false, null)).map(
    ([id, accepted]) =>
      (timeMs: number) =>
        outcome(timeMs, id, accepted),
  ),
  fc
    .constantFrom('[]', '[{"name":"x"}]', '[{"name":"y"}]')
    .map((servers) => (timeMs: number) => usage(timeMs, servers)),
);

test('the same events give the same record in whatever order they arrive', () => {
  const arrivals = fc
    .array(step, { maxLength: 8 })
    .map((makers) => makers.map((make, index) => make(1000 + index)))
    .chain((steps) => fc.tuple(fc.constant(steps), fc.shuffledSubarray(steps, { minLength: steps.length })));
  fc.assert(
    fc.property(arrivals, ([inOrder, shuffled]) => {
      const shown = (steps: Step[]) => {
        const record = run([told(0), ...steps]);
        return [
          record.pullRequest,
          record.head,
          entryText(record),
          countsText(record),
          record.mcp,
          new Map([...record.verdicts].sort()),
        ];
      };
      assert.deepEqual(shown(shuffled), shown(inOrder));
    }),
    { numRuns: 500 },
  );
});

test('what is stored of the findings is all that is known of them', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), (makers) => {
      const record = run([told(0), ...makers.map((make, index) => make(1 + index))]);
      const again = parseFindings(entryText(record), factsText(record));
      assert.deepEqual(again.findings, record.findings);
      assert.deepEqual(new Map([...again.verdicts].sort()), new Map([...record.verdicts].sort()));
    }),
  );
});

test('a new, a merged again and a changed entry go to the end, one that only changed in accepted stays', () => {
  const first = run([told(1, { findings: one })]);
  assert.deepEqual(first.place, { event: 1 });
  const stored = written(first);
  const cases: [string, Step[], ReviewRecord['place']][] = [
    ['told again', [told(2, { findings: one })], 1],
    ['told again without findings', [told(2)], 1],
    ['outcome', [outcome(2, 'a', true)], 1],
    ['accepted in the event', [told(2, { findings: [{ ...one[0]!, accepted: true }] })], 1],
    ['other numbers', [told(2, { review_iterations: 5 })], 1],
    ['older event', [told(0, { state: 'open' })], 1],
    ['merged again', [told(2, { merged_at: new Date('2026-03-11T00:00:00Z') })], { event: 2 }],
    ['opened and merged again at once', [told(2, { state: 'open' }), told(3)], { event: 3 }],
    ['other severity', [told(2, { findings: [{ ...one[0]!, severity: 'info' }] })], { event: 2 }],
    ['other comment address', [told(2, { findings: [{ ...one[0]!, url: 'x' }] })], { event: 2 }],
    ['one more finding', [told(2, { findings: [...one, { finding_id: 'b', url: 'x' }] })], { event: 2 }],
    ['other author', [told(2, { author_id: '5' })], { event: 2 }],
    ['no findings any more', [told(2, { findings: [] })], { event: 2 }],
    ['closed', [told(2, { state: 'closed' })], { event: 2 }],
    ['open', [told(2, { state: 'open' })], null],
  ];
  for (const [name, steps, place] of cases) assert.deepEqual(run(steps, stored).place, place, name);
});

test('what is told of a new entry without changing it leaves it where it was put first', () => {
  const first = told(1, { findings: one });
  const cases: Step[] = [told(2, { findings: one }), outcome(2, 'a', true), usage(2, '[{"name":"x"}]')];
  for (const step of cases) assert.deepEqual(run([first, step]).place, { event: 1 });
  assert.deepEqual(run([first, usage(2, '[{"name":"x"}]'), outcome(3, 'a', true)]).mcpPlace, { event: 2 });
});

test('MCP usage has its own place, which only a changed entry or other usage moves', () => {
  const stored = written(run([told(1, { findings: one }), usage(2, '[{"name":"x"}]')]));
  const cases: [string, Step[], ReviewRecord['place'], ReviewRecord['place']][] = [
    ['same usage', [usage(3, '[{"name":"x"}]')], 1, 2],
    ['other usage', [usage(3, '[{"name":"y"}]')], 1, { event: 3 }],
    ['older usage', [usage(1, '[{"name":"y"}]')], 1, 2],
    ['no usage', [usage(3, '[]')], 1, null],
    ['outcome', [outcome(3, 'a', false)], 1, 2],
    ['other findings', [told(3, { findings: [] })], { event: 3 }, 2],
    ['merged again', [told(3, { merged_at: created })], { event: 3 }, { event: 3 }],
    ['closed', [told(3, { state: 'closed' })], { event: 3 }, null],
  ];
  for (const [name, steps, place, mcpPlace] of cases) {
    const record = run(steps, stored);
    assert.deepEqual([record.place, record.mcpPlace], [place, mcpPlace], name);
  }
});

test('a finding that returns has the outcome it had, and one sent with null has none', () => {
  const accepted = run([told(1, { findings: one }), outcome(2, 'a', true), told(3, { findings: [] })]);
  assert.equal(classOf(accepted), 1);
  assert.match(entryText(run([told(4, { findings: one })], accepted))!, /"accepted":true/);
  const sent = [{ ...one[0]!, accepted: null }];
  assert.match(entryText(run([told(4, { findings: sent })], accepted))!, /"accepted":null/);
});

test('counts tell posted and accepted in all, by severity and by category; unknown values count in all only', () => {
  const record = run([
    told(1, {
      findings: [
        { ...one[0]!, accepted: true },
        { finding_id: 'b', url, severity: 'major', category: 'nonsense', accepted: false },
        { finding_id: 'c', url, accepted: null },
      ],
    }),
  ]);
  const counts = parseCounts(JSON.parse(countsText(record)!));
  assert.deepEqual(counts.total, { posted: 3, accepted: 1 });
  assert.deepEqual(counts.major, { posted: 2, accepted: 1 });
  assert.deepEqual(counts.security_and_privacy, { posted: 1, accepted: 1 });
  assert.deepEqual(counts.info, { posted: 0, accepted: 0 });
});
