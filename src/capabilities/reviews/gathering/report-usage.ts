import type { Database, Db } from '../../../db/database.ts';
import type { ServerUsage } from '../../../models/tools/review-tools.ts';
import type { EventSink } from '../../intake/event-sink.ts';
import type { RunKey } from '../runs/run-record.ts';

/** The organization of a run, as events name it. */
interface Tenant {
  readonly provider: string;
  readonly org_id: string;
  readonly instance?: string;
}

async function findTenant(db: Db, { organizationId }: RunKey): Promise<Tenant> {
  const [row] = await db<[{ provider: string; orgId: string; instance: string | null }]>`
    SELECT o.provider, o.provider_organization_id AS "orgId", i.slug AS instance
    FROM organizations o LEFT JOIN instances i ON i.id = o.instance_id WHERE o.id = ${organizationId}`;
  const { provider, orgId, instance } = row;
  return { provider, org_id: orgId, ...(instance !== null && { instance }) };
}

const eventOf = (type: string, id: string, now: Date, data: object) => ({
  specversion: '1.0',
  id,
  source: '/reviews',
  type,
  time: now.toISOString(),
  data,
});

async function send(accept: EventSink, events: readonly object[], now: Date): Promise<void> {
  const [failed] = await accept(events, now);
  if (failed !== undefined) throw new Error(`an event of a review was refused: ${failed.message}`);
}

/** Counts Learnings as used, each once per run, however often the run is attempted. */
export async function reportLearnings(
  db: Db,
  accept: EventSink,
  run: RunKey,
  prUrl: string | undefined,
  learningIds: readonly string[],
  now: Date,
): Promise<void> {
  if (learningIds.length === 0) return;
  const tenant = await findTenant(db, run);
  const events = learningIds.map((id) =>
    eventOf('postil.learning_used', `${run.runId}/${id}`, now, {
      ...tenant,
      learning_id: id,
      pr_url: prUrl ?? null,
    }),
  );
  await send(accept, events, now);
}

/** Adds up the calls of several reports or runs, by server and tool. */
function addUp(usages: readonly (readonly ServerUsage[])[]): ServerUsage[] {
  const servers = Map.groupBy(usages.flat(), ({ name }) => name);
  return [...servers].map(([name, own]) => ({
    name,
    tools: [
      ...Map.groupBy(
        own.flatMap(({ tools }) => tools),
        (tool) => tool.name,
      ),
    ].map(([tool, counts]) => ({
      name: tool,
      calls: counts.reduce((sum, { calls }) => sum + calls, 0),
      failures: counts.reduce((sum, { failures }) => sum + failures, 0),
    })),
  }));
}

/** Stores calls of tools with their run as they arise, so that those of an attempt that is cut off count too. */
export async function storeCalls(
  database: Pick<Database, 'transaction'>,
  { organizationId, runId }: RunKey,
  usage: ServerUsage,
): Promise<void> {
  await database.transaction(async (tx) => {
    const [run] = await tx<[{ usage: ServerUsage[] }]>`
      SELECT mcp_usage AS usage FROM review_runs
      WHERE organization_id = ${organizationId} AND id = ${runId} FOR UPDATE`;
    await tx`
      UPDATE review_runs SET mcp_usage = ${JSON.stringify(addUp([run.usage, [usage]]))}::text::jsonb
      WHERE organization_id = ${organizationId} AND id = ${runId}`;
  });
}

/**
 * Reports the calls of all runs of a pull request so far; the newest report counts. Called once at the end of an attempt, and
 * named by its lease, because the number of an attempt is used again if it is not counted.
 */
export async function reportCalls(
  { sql }: Pick<Database, 'sql'>,
  accept: EventSink,
  run: RunKey & { readonly lease: string },
  now: Date,
): Promise<void> {
  const { organizationId, runId, lease } = run;
  const all = await sql<{ usage: ServerUsage[]; prUrl: string }[]>`
    SELECT o.mcp_usage AS usage, r.pr_url AS "prUrl" FROM review_runs o
    JOIN review_runs r ON r.organization_id = o.organization_id AND r.repository_id = o.repository_id
      AND r.pull_request = o.pull_request
    WHERE r.organization_id = ${organizationId} AND r.id = ${runId} AND r.pr_url IS NOT NULL`;
  const servers = addUp(all.map(({ usage }) => usage));
  if (servers.length === 0) return;
  const tenant = await findTenant(sql, run);
  const data = { ...tenant, pr_url: all[0]!.prUrl, servers };
  await send(accept, [eventOf('postil.mcp_usage', `${runId}/${lease}`, now, data)], now);
}
