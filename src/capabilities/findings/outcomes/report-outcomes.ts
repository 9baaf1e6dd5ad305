import { hash } from 'node:crypto';
import type { Database, Db, Tx } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import type { Schedule } from '../../../lib/schedule.ts';
import type { UnitOfWork } from '../../../work/unit-of-work.ts';
import type { WorkQueue } from '../../../work/work-queue.ts';
import type { EventSink } from '../../intake/event-sink.ts';

/** The pull request or run whose outcomes are to be reported. */
export interface ReportKey {
  readonly organizationId: OrganizationId;
  readonly repositoryId: RepositoryId;
}

export interface ReportDeps {
  readonly database: Database;
  readonly queue: WorkQueue;
  readonly reportUnit: UnitOfWork<ReportKey>;
}

interface UnreportedOutcome {
  readonly subject: string;
  readonly findingId: string;
  readonly accepted: boolean | null;
  readonly signal: string | null;
  readonly prUrl: string;
  readonly changedAt: Date;
  readonly provider: string;
  readonly orgId: string;
  readonly instance: string | null;
}

/** Enqueues a report of changed outcomes, if the given transaction is committed; the caller wakes the unit afterwards. */
export async function requestReport(
  tx: Tx,
  { queue, reportUnit }: Pick<ReportDeps, 'queue' | 'reportUnit'>,
  { organizationId, repositoryId }: ReportKey,
): Promise<void> {
  const key = { organizationId, repositoryId };
  await queue.enqueue(tx, reportUnit, key, optionsOf(key));
}

const optionsOf = ({ organizationId, repositoryId }: ReportKey) => ({
  key: `${organizationId} ${repositoryId}`,
  group: organizationId,
});

async function findUnreported(
  db: Db,
  { organizationId, repositoryId }: ReportKey,
): Promise<UnreportedOutcome[]> {
  return db<UnreportedOutcome[]>`
    SELECT u.subject, u.finding_id AS "findingId", u.accepted, u.signal, u.pr_url AS "prUrl", u.changed_at AS "changedAt", o.provider,
      o.provider_organization_id AS "orgId", i.slug AS instance
    FROM finding_outcomes u JOIN organizations o ON o.id = u.organization_id LEFT JOIN instances i ON i.id = o.instance_id
    WHERE u.organization_id = ${organizationId} AND u.repository_id = ${repositoryId} AND NOT u.is_reported`;
}

function eventOf({ organizationId, repositoryId }: ReportKey, outcome: UnreportedOutcome) {
  const { subject, findingId, changedAt, accepted, signal, prUrl, provider, orgId, instance } = outcome;
  const time = changedAt.toISOString();
  return {
    specversion: '1.0',
    // Derived from the change, so that reporting the same change twice has no effect.
    id: hash('sha256', JSON.stringify([organizationId, repositoryId, subject, findingId, time])),
    source: '/findings',
    type: 'postil.finding_outcome',
    time,
    data: {
      provider,
      org_id: orgId,
      ...(instance !== null && { instance }),
      pr_url: prUrl,
      finding_id: findingId,
      accepted,
      signal,
    },
  };
}

/** The unit that reports changed outcomes to the metrics, as the same events that other senders use. */
export function reportOutcomes({
  database,
  acceptEvents,
  clock,
}: {
  readonly database: Database;
  readonly acceptEvents: EventSink;
  readonly clock: () => Date;
}): UnitOfWork<ReportKey> {
  return {
    name: 'report-outcomes',
    atOnce: 2,
    atOncePerGroup: 1,
    maxSeconds: 60,
    retries: { count: 50, firstPauseSeconds: 2, maxPauseSeconds: 300 },
    async run(key) {
      const outcomes = await findUnreported(database.sql, key);
      if (outcomes.length === 0) return;
      const [failure] = await acceptEvents(
        outcomes.map((outcome) => eventOf(key, outcome)),
        clock(),
      );
      if (failure !== undefined) throw new Error(`an outcome was not stored: ${failure.message}`);
      // An outcome that changed in the meantime stays unreported.
      for (const { subject, findingId, changedAt } of outcomes)
        await database.sql`
          UPDATE finding_outcomes SET is_reported = true
          WHERE organization_id = ${key.organizationId} AND repository_id = ${key.repositoryId} AND subject = ${subject}
            AND finding_id = ${findingId} AND changed_at = ${changedAt}`;
    },
  };
}

/** Outcomes that have been unreported for longer were lost by the queue. */
const patienceMs = 120_000;
const maxAtOnce = 1_000;

/** Enqueues reports again that the queue has lost, for example after a restored backup. */
export function requeueReports({
  database,
  queue,
  reportUnit,
  clock,
}: ReportDeps & { readonly clock: () => Date }): Schedule {
  return {
    name: 'requeue report-outcomes',
    intervalMs: 60_000,
    async run() {
      const lost = await database.sql<ReportKey[]>`
        SELECT DISTINCT organization_id AS "organizationId", repository_id AS "repositoryId" FROM finding_outcomes
        WHERE NOT is_reported AND changed_at < ${new Date(clock().getTime() - patienceMs)} LIMIT ${maxAtOnce}`;
      if (lost.length === 0) return;
      const work = lost.map((data) => ({ data, options: optionsOf(data) }));
      await queue.enqueueAll(database.sql, reportUnit, work);
      queue.wake(reportUnit.name);
    },
  };
}
