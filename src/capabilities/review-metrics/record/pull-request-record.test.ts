import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import type { ProviderOrgId, ProviderRepositoryId } from '../../../lib/ids.ts';
import type { PullRequestData } from '../../pull-requests/pull-request-data.ts';
import { countsText, entryText, factsText, parseCounts, parseFindings } from './entry-text.ts';
import {
  classOf,
  isPendingPosition,
  type ReviewRecord,
  withMcpUsage,
  withOutcome,
  withPullRequest,
} from './pull-request-record.ts';

const url = 'https://github.test/acme/api/pull/7';
const created = new Date('2026-03-01T00:00:00Z');
const merged = new Date('2026-03-10T00:00:00Z');

type Step = (record: ReviewRecord | undefined) => ReviewRecord | undefined;
type SentFindings = NonNullable<PullRequestData['findings']>;

function reported(timeMs: number, fields: Partial<PullRequestData> = {}): Step {
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
  const reported = { findingId, accepted, signal: null, isAnnounced: false };
  return (record) => record && withOutcome(record, reported, timeMs);
}

function usage(timeMs: number, servers: string): Step {
  return (record) => record && withMcpUsage(record, { servers, timeMs }, timeMs);
}

function run(steps: readonly Step[], from?: ReviewRecord): ReviewRecord {
  return steps.reduce<ReviewRecord | undefined>((record, step) => step(record), from)!;
}

/** The record as if it had been written, with a position in both lists. */
function written(record: ReviewRecord): ReviewRecord {
  return {
    ...record,
    position: isPendingPosition(record.position) ? 1 : record.position,
    mcpPosition: isPendingPosition(record.mcpPosition) ? 2 : record.mcpPosition,
  };
}

const oneFinding: SentFindings = [
  { finding_id: 'a', url: `${url}#1`, severity: 'major', category: 'security_and_privacy' },
];

const findings = fc.option(
  fc.uniqueArray(
    fc.record(
      {
        finding_id: fc.constantFrom('a', 'b', 'c'),
        url: fc.constantFrom('u', 'v'),
        severity: fc.constantFrom('major', 'info', 'unknown', null),
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
        reported(timeMs, { state: newState, ...(sent !== undefined && { findings: sent }) }),
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

test('the same events produce the same record regardless of the order in which they arrive', () => {
  const arrivals = fc
    .array(step, { maxLength: 8 })
    .map((stepFactories) => stepFactories.map((make, index) => make(1000 + index)))
    .chain((steps) => fc.tuple(fc.constant(steps), fc.shuffledSubarray(steps, { minLength: steps.length })));
  fc.assert(
    fc.property(arrivals, ([inOrder, shuffled]) => {
      const shown = (steps: Step[]) => {
        const record = run([reported(0), ...steps]);
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

test('findings and verdicts survive being stored and parsed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), (stepFactories) => {
      const record = run([reported(0), ...stepFactories.map((make, index) => make(1 + index))]);
      const again = parseFindings(entryText(record), factsText(record));
      assert.deepEqual(again.findings, record.findings);
      assert.deepEqual(new Map([...again.verdicts].sort()), new Map([...record.verdicts].sort()));
      // Those of listed findings are announced when they are stored.
      const listed = new Set(record.findings.map(({ id }) => id));
      const waiting = [...record.unannounced].filter(([id]) => !listed.has(id));
      assert.deepEqual(new Map([...again.unannounced].sort()), new Map(waiting.sort()));
    }),
  );
});

test('a new, re-merged or changed entry moves to the end; one in which only `accepted` changed stays in place', () => {
  const first = run([reported(1, { findings: oneFinding })]);
  assert.deepEqual(first.position, { eventIndex: 1 });
  const stored = written(first);
  const cases: [string, Step[], ReviewRecord['position']][] = [
    ['reported again', [reported(2, { findings: oneFinding })], 1],
    ['reported again without findings', [reported(2)], 1],
    ['outcome', [outcome(2, 'a', true)], 1],
    ['accepted in the event', [reported(2, { findings: [{ ...oneFinding[0]!, accepted: true }] })], 1],
    ['different counts', [reported(2, { review_iterations: 5 })], 1],
    ['older event', [reported(0, { state: 'open' })], 1],
    ['merged again', [reported(2, { merged_at: new Date('2026-03-11T00:00:00Z') })], { eventIndex: 2 }],
    [
      'reopened and merged again in one batch',
      [reported(2, { state: 'open' }), reported(3)],
      { eventIndex: 3 },
    ],
    [
      'different severity',
      [reported(2, { findings: [{ ...oneFinding[0]!, severity: 'info' }] })],
      { eventIndex: 2 },
    ],
    [
      'different comment URL',
      [reported(2, { findings: [{ ...oneFinding[0]!, url: 'x' }] })],
      { eventIndex: 2 },
    ],
    [
      'one more finding',
      [reported(2, { findings: [...oneFinding, { finding_id: 'b', url: 'x' }] })],
      { eventIndex: 2 },
    ],
    ['different author', [reported(2, { author_id: '5' })], { eventIndex: 2 }],
    ['all findings removed', [reported(2, { findings: [] })], { eventIndex: 2 }],
    ['closed', [reported(2, { state: 'closed' })], { eventIndex: 2 }],
    ['open', [reported(2, { state: 'open' })], null],
  ];
  for (const [name, steps, position] of cases) assert.deepEqual(run(steps, stored).position, position, name);
});

test('reports that do not change a new entry leave it at its first position', () => {
  const first = reported(1, { findings: oneFinding });
  const cases: Step[] = [
    reported(2, { findings: oneFinding }),
    outcome(2, 'a', true),
    usage(2, '[{"name":"x"}]'),
  ];
  for (const step of cases) assert.deepEqual(run([first, step]).position, { eventIndex: 1 });
  assert.deepEqual(run([first, usage(2, '[{"name":"x"}]'), outcome(3, 'a', true)]).mcpPosition, {
    eventIndex: 2,
  });
});

test('MCP usage has its own position, which only a changed entry or different usage moves', () => {
  const stored = written(run([reported(1, { findings: oneFinding }), usage(2, '[{"name":"x"}]')]));
  const cases: [string, Step[], ReviewRecord['position'], ReviewRecord['position']][] = [
    ['same usage', [usage(3, '[{"name":"x"}]')], 1, 2],
    ['different usage', [usage(3, '[{"name":"y"}]')], 1, { eventIndex: 3 }],
    ['older usage', [usage(1, '[{"name":"y"}]')], 1, 2],
    ['no usage', [usage(3, '[]')], 1, null],
    ['outcome', [outcome(3, 'a', false)], 1, 2],
    ['different findings', [reported(3, { findings: [] })], { eventIndex: 3 }, 2],
    ['merged again', [reported(3, { merged_at: created })], { eventIndex: 3 }, { eventIndex: 3 }],
    ['closed', [reported(3, { state: 'closed' })], { eventIndex: 3 }, null],
  ];
  for (const [name, steps, position, mcpPosition] of cases) {
    const record = run(steps, stored);
    assert.deepEqual([record.position, record.mcpPosition], [position, mcpPosition], name);
  }
});

test('a finding that returns keeps its outcome, and one sent with null loses it', () => {
  const accepted = run([
    reported(1, { findings: oneFinding }),
    outcome(2, 'a', true),
    reported(3, { findings: [] }),
  ]);
  assert.equal(classOf(accepted), 1);
  assert.match(entryText(run([reported(4, { findings: oneFinding })], accepted))!, /"accepted":true/);
  const sent = [{ ...oneFinding[0]!, accepted: null }];
  assert.match(entryText(run([reported(4, { findings: sent })], accepted))!, /"accepted":null/);
});

test('posted and accepted findings are counted in total, by severity and by category; unknown values count only in the total', () => {
  const record = run([
    reported(1, {
      findings: [
        { ...oneFinding[0]!, accepted: true },
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
