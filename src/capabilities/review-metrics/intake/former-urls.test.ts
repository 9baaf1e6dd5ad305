import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { readAllPages, withoutLimits } from '../../../../test/metrics-reader.ts';
import fc from '../../../../test/properties.ts';
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
/** An event about a pull request by one of its names; its index in the list of events determines its time. */
type Report =
  | { readonly kind: 'pull request'; readonly name: Name }
  | { readonly kind: 'outcome'; readonly name: Name; readonly accepted: boolean | null }
  | { readonly kind: 'usage'; readonly name: Name; readonly calls: number };

/** A new pull request, with its events ordered by time. */
function createPullRequest(reports: readonly Report[]) {
  const known = finding();
  const number = Number(freshId());
  const urlOf = (name: Name) => `https://github.test/acme/${name}/pull/${number}`;
  const events = reports.map((event, index) => {
    const time = new Date(Date.UTC(2026, 2, 11, 0, index)).toISOString();
    const url = urlOf(event.name);
    const about = { org_id: orgId, pr_url: url };
    if (event.kind === 'pull request') {
      return pullRequestEvent(pullRequest({ org_id: orgId, number, url, findings: [known] }), time);
    }
    if (event.kind === 'outcome') {
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

/** What the lists show of all pull requests, by number. */
async function readShown(): Promise<Map<number, Shown>> {
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

const renamed: Report[] = [
  { kind: 'pull request', name: 'x' },
  { kind: 'outcome', name: 'x', accepted: true },
  { kind: 'usage', name: 'x', calls: 3 },
  { kind: 'pull request', name: 'y' },
];

test('reports by a former URL reach their pull request in every order, in one request or in several', async () => {
  const orders = permutations(renamed.keys().toArray());
  assert.equal(orders.length, 24);
  const createAll = () => orders.map((order) => ({ order, ...createPullRequest(renamed) }));
  const [single, several] = [createAll(), createAll()];
  await send(single.flatMap(({ order, events }) => order.map((index) => events[index]!)));
  for (const turn of renamed.keys()) {
    await send(several.map(({ order, events }) => events[order[turn]!]!));
  }
  const result = await readShown();
  for (const { order, number, urlOf } of [...single, ...several]) {
    assert.deepEqual(result.get(number), { url: urlOf('y'), accepted: true, calls: 3 }, `order ${order}`);
  }
});

test('a report may arrive at the same moment as the event that changes its URL or first mentions it', async () => {
  const made = Array.from({ length: 24 }, () => createPullRequest(renamed));
  const eventsAt = (index: number, of: typeof made) => of.map(({ events }) => events[index]!);
  const [renamedLater, reportedLater] = [made.slice(0, 12), made.slice(12)];
  await send([...eventsAt(0, renamedLater), ...eventsAt(3, reportedLater)]);
  const rest = [
    ...eventsAt(3, renamedLater),
    ...eventsAt(0, reportedLater),
    ...eventsAt(1, made),
    ...eventsAt(2, made),
  ];
  await Promise.all(
    Array.from({ length: 6 }, (_, turn) => send(rest.filter((_, index) => index % 6 === turn))),
  );
  const result = await readShown();
  for (const { number, urlOf } of made) {
    assert.deepEqual(result.get(number), { url: urlOf('y'), accepted: true, calls: 3 });
  }
});

const name = fc.constantFrom<Name>('x', 'y', 'z');
const reports: fc.Arbitrary<Report> = fc.oneof(
  fc.record({ kind: fc.constant('pull request' as const), name }),
  fc.record({ kind: fc.constant('outcome' as const), name, accepted: fc.constantFrom(true, false, null) }),
  fc.record({ kind: fc.constant('usage' as const), name, calls: fc.integer({ min: 1, max: 5 }) }),
);
/** Events ordered by time, and for each the request in which it arrives, and its position there. */
const arrival = fc
  .array(reports, { maxLength: 8 })
  .map((others): Report[] => [...others, { kind: 'pull request', name: 'x' }])
  .chain((events) =>
    fc.record({
      events: fc.constant(events),
      order: fc.shuffledSubarray(events.keys().toArray(), { minLength: events.length }),
      turns: fc.array(fc.nat({ max: 3 }), { minLength: events.length, maxLength: events.length }),
    }),
  );

/** What must be shown: the newest report of each kind, by any URL the pull request ever had. */
function expected(events: readonly Report[]): { name: Name; accepted: boolean | null; calls: number | null } {
  const reportedNames = events.filter(({ kind }) => kind === 'pull request').map((event) => event.name);
  const reports = events.filter((event) => reportedNames.includes(event.name)).toReversed();
  return {
    name: reportedNames.at(-1)!,
    accepted: reports.find((event) => event.kind === 'outcome')?.accepted ?? null,
    calls: reports.find((event) => event.kind === 'usage')?.calls ?? null,
  };
}

test('whatever URLs a pull request is reported with, event times decide and the order of arrival does not', async () => {
  const arrivals = fc.array(arrival, { minLength: 40, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(arrivals, async (many) => {
      const all = many.map((one) => ({ ...one, made: createPullRequest(one.events) }));
      for (let turn = 0; turn <= 3; turn++) {
        const now = all.flatMap(({ order, turns, made }) =>
          order.filter((index) => turns[index] === turn).map((index) => made.events[index]!),
        );
        if (now.length > 0) await send(now);
      }
      const result = await readShown();
      for (const { events, made } of all) {
        const { name: last, ...rest } = expected(events);
        assert.deepEqual(result.get(made.number), { url: made.urlOf(last), ...rest });
      }
    }),
    { numRuns: 6, endOnFailure: true },
  );
});

test('a pull request whose URL never changes leaves no row among the former URLs', async () => {
  const { number, urlOf, events } = createPullRequest([renamed[0]!, renamed[1]!, renamed[0]!]);
  for (const event of events) await send([event]);
  const [row] = await server.database
    .sql`SELECT count(*)::int AS count FROM former_pull_request_urls WHERE number = ${number}`;
  assert.equal(row!.count, 0);
  assert.equal((await readShown()).get(number)!.url, urlOf('x'));
});
