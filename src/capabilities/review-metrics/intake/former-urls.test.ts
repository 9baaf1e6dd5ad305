import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startTestApp } from '../../../../test/harness.ts';
import { readAllPages, withoutLimits } from '../../../../test/metrics-reader.ts';
import { cloudEvent, finding, pullRequest, pullRequestEvent } from '../../../../test/review-events.ts';
import { freshId, organization } from '../../../../test/sample-platform.ts';

const server = await startTestApp(withoutLimits);
const orgId = freshId();
await server.platform({ organizations: [organization({ provider_organization_id: orgId })] });
const key = await server.createKey({
  kind: 'organization',
  provider: 'github',
  org_id: orgId,
  owner: '9001',
});

async function send(events: Record<string, unknown>[]): Promise<void> {
  const answer = await server.events(events);
  assert.deepEqual([answer.status, answer.json.failed], [200, 0], answer.text);
}

type Name = 'x' | 'y' | 'z';
/** An event about a pull request by one of its names; its place in the list of events is its time. */
type Said =
  | { readonly what: 'pull request'; readonly name: Name }
  | { readonly what: 'outcome'; readonly name: Name; readonly accepted: boolean | null }
  | { readonly what: 'usage'; readonly name: Name; readonly calls: number };

/** A new pull request, and its events in the order of their times. */
function tell(said: readonly Said[]) {
  const known = finding();
  const number = Number(freshId());
  const urlOf = (name: Name) => `https://github.test/acme/${name}/pull/${number}`;
  const events = said.map((event, index) => {
    const time = new Date(Date.UTC(2026, 2, 11, 0, index)).toISOString();
    const url = urlOf(event.name);
    const about = { org_id: orgId, pr_url: url };
    if (event.what === 'pull request') {
      return pullRequestEvent(pullRequest({ org_id: orgId, number, url, findings: [known] }), time);
    }
    if (event.what === 'outcome') {
      const { accepted } = event;
      return cloudEvent('postil.finding_outcome', { ...about, finding_id: known.finding_id, accepted }, time);
    }
    const servers = [{ name: 's', tools: [{ name: 't', calls: event.calls }] }];
    return cloudEvent('postil.mcp_usage', { ...about, servers }, time);
  });
  return { number, urlOf, events };
}

interface Shown {
  readonly url: string;
  readonly accepted: boolean | null;
  readonly calls: number | null;
}

/** What is shown of all pull requests, by number. */
async function shown(): Promise<Map<number, Shown>> {
  const read = (list: string) =>
    readAllPages(server.get, `/v1/metrics/${list}?start_date=2026-03-01&end_date=2026-03-31`, key);
  const numberOf = (url: string) => Number(url.split('/').at(-1));
  const usages = new Map((await read('mcp')).map(({ pr_url, servers }) => [pr_url, servers[0].calls]));
  const entries = (await read('review-comments')).map(
    ({ pr_url, coderabbit_comments: [comment] }): [number, Shown] => [
      numberOf(pr_url),
      { url: pr_url, accepted: comment.accepted, calls: usages.get(pr_url) ?? null },
    ],
  );
  return new Map(entries);
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

const renamed: Said[] = [
  { what: 'pull request', name: 'x' },
  { what: 'outcome', name: 'x', accepted: true },
  { what: 'usage', name: 'x', calls: 3 },
  { what: 'pull request', name: 'y' },
];

test('reports by a former URL reach their pull request in every order, in one request or in several', async () => {
  const orders = permutations(renamed.keys().toArray());
  assert.equal(orders.length, 24);
  const tellAll = () => orders.map((order) => ({ order, ...tell(renamed) }));
  const [single, several] = [tellAll(), tellAll()];
  await send(single.flatMap(({ order, events }) => order.map((index) => events[index]!)));
  for (const turn of renamed.keys()) {
    await send(several.map(({ order, events }) => events[order[turn]!]!));
  }
  const result = await shown();
  for (const { order, number, urlOf } of [...single, ...several]) {
    assert.deepEqual(result.get(number), { url: urlOf('y'), accepted: true, calls: 3 }, `order ${order}`);
  }
});

test('a report and the event that takes its URL away, or tells it late, may come at the same moment', async () => {
  const made = Array.from({ length: 24 }, () => tell(renamed));
  const eventsAt = (index: number, of: typeof made) => of.map(({ events }) => events[index]!);
  const [renamedLater, toldLater] = [made.slice(0, 12), made.slice(12)];
  await send([...eventsAt(0, renamedLater), ...eventsAt(3, toldLater)]);
  const rest = [
    ...eventsAt(3, renamedLater),
    ...eventsAt(0, toldLater),
    ...eventsAt(1, made),
    ...eventsAt(2, made),
  ];
  await Promise.all(
    Array.from({ length: 6 }, (_, turn) => send(rest.filter((_, index) => index % 6 === turn))),
  );
  const result = await shown();
  for (const { number, urlOf } of made) {
    assert.deepEqual(result.get(number), { url: urlOf('y'), accepted: true, calls: 3 });
  }
});

const name = fc.constantFrom<Name>('x', 'y', 'z');
const said: fc.Arbitrary<Said> = fc.oneof(
  fc.record({ what: fc.constant('pull request' as const), name }),
  fc.record({ what: fc.constant('outcome' as const), name, accepted: fc.constantFrom(true, false, null) }),
  fc.record({ what: fc.constant('usage' as const), name, calls: fc.integer({ min: 1, max: 5 }) }),
);
/** Events in the order of their times, and for each the request in which it arrives, and where in it. */
const arrival = fc
  .array(said, { maxLength: 8 })
  .map((others): Said[] => [...others, { what: 'pull request', name: 'x' }])
  .chain((events) =>
    fc.record({
      events: fc.constant(events),
      order: fc.shuffledSubarray(events.keys().toArray(), { minLength: events.length }),
      turns: fc.array(fc.nat({ max: 3 }), { minLength: events.length, maxLength: events.length }),
    }),
  );

/** What must be shown: the newest of each kind, of reports by URLs that were ever told. */
function expected(events: readonly Said[]): { name: Name; accepted: boolean | null; calls: number | null } {
  const told = events.filter(({ what }) => what === 'pull request').map((event) => event.name);
  const reports = events.filter((event) => told.includes(event.name)).toReversed();
  return {
    name: told.at(-1)!,
    accepted: reports.find((event) => event.what === 'outcome')?.accepted ?? null,
    calls: reports.find((event) => event.what === 'usage')?.calls ?? null,
  };
}

test('whatever URLs a pull request is told with, time decides and the order of arrival does not', async () => {
  const arrivals = fc.array(arrival, { minLength: 40, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(arrivals, async (many) => {
      const all = many.map((one) => ({ ...one, made: tell(one.events) }));
      for (let turn = 0; turn <= 3; turn++) {
        const now = all.flatMap(({ order, turns, made }) =>
          order.filter((index) => turns[index] === turn).map((index) => made.events[index]!),
        );
        if (now.length > 0) await send(now);
      }
      const result = await shown();
      for (const { events, made } of all) {
        const { name: last, ...rest } = expected(events);
        assert.deepEqual(result.get(made.number), { url: made.urlOf(last), ...rest });
      }
    }),
    { numRuns: 6, endOnFailure: true },
  );
});

test('a pull request whose URL never changes leaves no row among the former URLs', async () => {
  const { number, urlOf, events } = tell([renamed[0]!, renamed[1]!, renamed[0]!]);
  for (const event of events) await send([event]);
  const [row] = await server.database
    .sql`SELECT count(*)::int AS count FROM former_pull_request_urls WHERE number = ${number}`;
  assert.equal(row!.count, 0);
  assert.equal((await shown()).get(number)!.url, urlOf('x'));
});
