import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import type { WebhookReceiver } from '../webhook-receiver.ts';
import type { Node } from './nodes.ts';
import type { Organization, Written } from './writers.ts';

/** Descriptions of lost and repeated writes; both empty if the stored data is right. */
export interface Verdict {
  readonly lost: string[];
  readonly repeated: string[];
}

export interface CheckedState {
  readonly primary: Database;
  readonly nodes: readonly Node[];
  readonly organizations: readonly Organization[];
  readonly written: Written;
  readonly receiver: WebhookReceiver;
  /** The order in which the previous check has read the events. */
  readonly orderBefore: string[];
}

const window = 'start_date=2026-03-01&end_date=2026-03-31';
/** The timeout for background work. */
const timeoutMs = 60_000;

async function until(condition: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (performance.now() < end) {
    if (await condition().catch(() => false)) return true;
    await sleep(200);
  }
  return false;
}

/** Follows the cursors from the first entry to the last, on the nodes in turn. */
async function readInOrder(nodes: readonly Node[], key: string): Promise<string[]> {
  const urls: string[] = [];
  let cursor = '';
  for (let page = 0; ; page += 1) {
    const at = `/v1/metrics/review-comments?${window}&limit=25${cursor}`;
    const answer = await nodes[page % nodes.length]!.call('GET', at, undefined, key);
    if (answer.status !== 200) throw new Error(`${at}: ${answer.status} ${answer.text}`);
    urls.push(...answer.json.data.map((entry: { pr_url: string }) => entry.pr_url));
    if (answer.json.next_cursor === null) return urls;
    cursor = `&cursor=${answer.json.next_cursor}`;
  }
}

/** Records a difference between the numbers of acknowledged and stored writes. */
function compare(verdict: Verdict, what: string, acknowledged: number, stored: number, mayBeMore = 0): void {
  if (stored < acknowledged) verdict.lost.push(`${what}: ${acknowledged} acknowledged, ${stored} stored`);
  if (stored > acknowledged + mayBeMore)
    verdict.repeated.push(`${what}: ${acknowledged} acknowledged, ${stored} stored`);
}

async function checkEvents({ nodes, organizations, written, orderBefore }: CheckedState, verdict: Verdict) {
  const order = await readInOrder(nodes, organizations[0]!.key);
  const times = Map.groupBy(order, (url) => url);
  for (const { what } of written.events) compare(verdict, what, 1, times.get(what)?.length ?? 0);
  if (order.length > written.events.length)
    verdict.repeated.push(`${order.length} entries of ${written.events.length} events`);
  const moved = orderBefore.findIndex((url, index) => order[index] !== url);
  if (moved >= 0) verdict.lost.push(`the order changed at entry ${moved}`);
  orderBefore.splice(0, orderBefore.length, ...order);
}

async function checkLearnings({ primary, written }: CheckedState, verdict: Verdict) {
  const rows = await primary.sql<{ learning: string }[]>`SELECT learning FROM learnings`;
  const times = Map.groupBy(rows, ({ learning }) => learning);
  for (const { what } of written.learnings) compare(verdict, what, 1, times.get(what)?.length ?? 0);
}

/** A review that was answered with 503 may have been stored, so there may be that many more. */
async function checkReviews({ primary, written }: CheckedState, verdict: Verdict) {
  const open = () => primary.sql`SELECT FROM review_runs WHERE finished_at IS NULL`;
  if (!(await until(async () => (await open()).length === 0))) verdict.lost.push('reviews that do not end');
  const rows = await primary.sql<{ name: string; status: string }[]>`
    SELECT coverage -> 0 ->> 'path' AS name, status FROM review_runs`;
  const times = Map.groupBy(rows, ({ name }) => name);
  for (const { what, attempts } of written.reviews)
    compare(verdict, what, 1, times.get(what)?.length ?? 0, attempts - 1);
  for (const { name, status } of rows)
    if (status !== 'succeeded') verdict.lost.push(`the review of ${name} ${status}`);
}

/** Every change of a role or seat has exactly one entry in the audit log, and one webhook. */
async function checkMembers({ primary, organizations, written, receiver }: CheckedState, verdict: Verdict) {
  const waiting = () => primary.sql`SELECT FROM webhook_deliveries WHERE status = 'waiting'`;
  if (!(await until(async () => (await waiting()).length === 0)))
    verdict.lost.push('webhooks that are not sent');
  for (const { id } of organizations) {
    const [row] = await primary.sql<{ roles: number; seats: number; role: string; hasSeat: boolean }[]>`
      SELECT count(*) FILTER (WHERE a.action = 'member.role_changed')::int AS roles,
        count(*) FILTER (WHERE a.action LIKE 'seat.%')::int AS seats
      FROM audit_entries a JOIN organizations o ON o.id = a.organization_id
      WHERE o.provider_organization_id = ${id} AND a.resource_summary LIKE '%user-9002%'`;
    const [roles, seats] = [written.roles.get(id) ?? 0, written.seats.get(id) ?? 0];
    compare(verdict, `roles of ${id}`, roles, row!.roles);
    compare(verdict, `seats of ${id}`, seats, row!.seats);
    const sent = receiver.calls
      .filter(({ path }) => path === `/${id}`)
      .map(({ headers }) => headers['webhook-id']);
    compare(verdict, `webhooks of ${id}`, roles + seats, new Set(sent).size);
  }
}

/** Compares all acknowledged writes with the stored data; no writes may be in progress. */
export async function checkAll(state: CheckedState): Promise<Verdict> {
  const verdict: Verdict = { lost: [], repeated: [] };
  for (const check of [checkEvents, checkLearnings, checkReviews, checkMembers]) await check(state, verdict);
  return verdict;
}
