import { randomUUID } from 'node:crypto';
import { systemActor } from '../../../access/actor.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import type { Job } from '../../../lib/job.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import { learningChange } from '../learning-audit.ts';
import { settlePrivate } from '../lifecycle/follow-pull-requests.ts';
import { findUnsettled } from '../store.ts';
import { applyWaitingUses } from '../write/store-writes.ts';
import { type IndexDeps, indexLearnings, type Unindexed } from './index-learnings.ts';
import { findUnindexed } from './index-store.ts';

const learningsPerStep = 16;
const settledPerStep = 500;
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Embeds a step and tells whether the model works at all. When the step fails as a whole its texts are tried one by
 * one, so that one which the model refuses harms no other; two failures in a row without a success mean the model.
 */
async function indexStep(
  deps: IndexDeps,
  learnings: readonly Unindexed[],
  signal: AbortSignal,
): Promise<boolean> {
  const { left } = await indexLearnings(deps, learnings, signal);
  let hasSuccess = left.size < learnings.length;
  let failures = 0;
  for (const learning of learnings.filter(({ id }) => left.has(id))) {
    const isIndexed = (await indexLearnings(deps, [learning], signal)).left.size === 0;
    hasSuccess ||= isIndexed;
    failures += isIndexed ? 0 : 1;
    if (!hasSuccess && failures === 2) return false;
  }
  return hasSuccess;
}

/**
 * Embeds what has no vectors of its present text, or vectors of another embedder. Ids are spread evenly, so starting
 * at a random one keeps several nodes from doing the same work, and no faulty text can block the others for good.
 */
async function repairIndex(deps: IndexDeps, signal: AbortSignal): Promise<void> {
  const start = randomUUID();
  for (const [from, until] of [
    [start, undefined],
    [firstId, start],
  ] as const) {
    let after: string = from;
    while (!signal.aborted) {
      const due = await findUnindexed(
        deps.database.sql,
        deps.embedder.id,
        deps.clock(),
        after,
        learningsPerStep,
      );
      const last = due.at(-1);
      if (last === undefined || (until !== undefined && due[0]!.id > until)) break;
      if (!(await indexStep(deps, due, signal))) return;
      after = last.id;
    }
  }
}

interface SettledRow {
  organization_id: OrganizationId;
  repository_id: RepositoryId;
  id: string;
}

/** Writes down that deadlines have passed; the answers counted them as approved already. */
async function settleDeadlines({ database, clock }: IndexDeps, signal: AbortSignal): Promise<void> {
  let settled = settledPerStep;
  while (settled === settledPerStep && !signal.aborted) {
    const now = clock();
    settled = await database.transaction(async (tx) => {
      const rows = await tx<SettledRow[]>`
        UPDATE learnings l SET approval = 'approved', approval_deadline = NULL
        FROM (SELECT organization_id, id FROM learnings
              WHERE approval = 'pending' AND approval_deadline <= ${now}
              ORDER BY approval_deadline, id LIMIT ${settledPerStep} FOR UPDATE SKIP LOCKED) AS due
        WHERE l.organization_id = due.organization_id AND l.id = due.id
        RETURNING l.organization_id, l.repository_id, l.id`;
      await recordChanges(
        tx,
        { actor: systemActor, now },
        rows.map((row) =>
          learningChange(
            'learning.approved',
            { organizationId: row.organization_id, repositoryId: row.repository_id, id: row.id },
            { automatic: true },
          ),
        ),
      );
      return rows.length;
    });
  }
}

/** Shares or drops private Learnings whose pull request is known to have ended but which were not told. */
async function settlePullRequests({ database, clock }: IndexDeps, signal: AbortSignal): Promise<void> {
  let settled = settledPerStep;
  while (settled === settledPerStep && !signal.aborted) {
    const unsettled = await findUnsettled(database.sql, settledPerStep);
    settled = unsettled.length;
    if (settled > 0) await database.transaction((tx) => settlePrivate(tx, unsettled, clock()));
  }
}

/** Counts uses whose Learning was being written at the same moment, so that neither saw the other. */
async function settleUses({ database }: IndexDeps): Promise<void> {
  const rows = await database.sql<{ organization_id: OrganizationId; learning_id: string }[]>`
    SELECT w.organization_id, w.learning_id FROM learning_uses_waiting w
    JOIN learnings l ON l.organization_id = w.organization_id AND l.id = w.learning_id LIMIT ${settledPerStep}`;
  if (rows.length === 0) return;
  await database.transaction((tx) =>
    applyWaitingUses(
      tx,
      rows.map((row) => ({ organizationId: row.organization_id, id: row.learning_id })),
    ),
  );
}

/** The background work of Learnings: keeping the index whole and writing down what time has decided. */
export function learningJobs(deps: IndexDeps): Job[] {
  return [
    {
      name: 'learnings-index-repair',
      intervalMs: 5_000,
      run: (signal) => repairIndex(deps, signal),
    },
    {
      name: 'learnings-lifecycle',
      intervalMs: 30_000,
      async run(signal) {
        await settleDeadlines(deps, signal);
        await settlePullRequests(deps, signal);
        await settleUses(deps);
      },
    },
  ];
}
