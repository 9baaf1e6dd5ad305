import { randomUUID } from 'node:crypto';
import { systemActor } from '../../access/actor.ts';
import type { OrganizationId, RepositoryId } from '../../lib/ids.ts';
import type { Schedule } from '../../lib/schedule.ts';
import {
  embedsHarmlessText,
  type IndexDeps,
  indexLearnings,
  type Unindexed,
} from './indexing/index-learnings.ts';
import { findUnindexed, postponeRepair } from './indexing/index-store.ts';
import { learningChange } from './learning-audit.ts';
import { applyPullRequestEnds } from './lifecycle/follow-pull-requests.ts';
import { recordLearningChanges } from './record-learning-changes.ts';
import { findEndedPullRequests } from './store.ts';
import { applyWaitingUses } from './store-writes.ts';

const learningsPerStep = 16;
const rowsPerStep = 500;
/** The pause before a text that the model rejected is tried again: the model may have been improved by then. */
const rejectedDelayMs = 5 * 60_000;
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Embeds a batch and returns whether the model works at all. If the batch fails, its texts are tried one by one, so that
 * rejected texts do not affect the others; after two failures without a success, the model itself is tested. If it works,
 * the rejected texts are postponed, since retrying them every few seconds would add up.
 */
async function indexStep(
  deps: IndexDeps,
  learnings: readonly Unindexed[],
  signal: AbortSignal,
): Promise<boolean> {
  const { unindexed } = await indexLearnings(deps, learnings, signal);
  let isWorking = unindexed.size < learnings.length;
  const rejected: Unindexed[] = [];
  for (const learning of learnings.filter(({ id }) => unindexed.has(id))) {
    const isIndexed = (await indexLearnings(deps, [learning], signal)).unindexed.size === 0;
    isWorking ||= isIndexed;
    if (!isIndexed) rejected.push(learning);
    if (isWorking || rejected.length < 2) continue;
    isWorking = await embedsHarmlessText(deps.embedder, signal);
    if (!isWorking) return false;
  }
  isWorking ||= await embedsHarmlessText(deps.embedder, signal);
  if (!isWorking || signal.aborted) return isWorking;
  const dueAt = new Date(deps.clock().getTime() + rejectedDelayMs);
  for (const learning of rejected) await postponeRepair(deps.database.sql, learning, dueAt);
  return true;
}

/**
 * Embeds records without vectors of their current text, or with vectors of another embedder. Starts at a random id (ids are
 * evenly distributed), so that nodes do not do the same work and rejected texts cannot block the others forever.
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

interface ApprovedRow {
  organization_id: OrganizationId;
  repository_id: RepositoryId;
  id: string;
}

/** Stores the approval of Learnings whose deadline has passed; reads treat them as approved already. */
async function approvePastDeadlines({ database, clock }: IndexDeps, signal: AbortSignal): Promise<void> {
  let settled = rowsPerStep;
  while (settled === rowsPerStep && !signal.aborted) {
    const now = clock();
    settled = await database.transaction(async (tx) => {
      const rows = await tx<ApprovedRow[]>`
        UPDATE learnings l SET approval = 'approved', approval_deadline = NULL
        FROM (SELECT organization_id, id FROM learnings
              WHERE approval = 'pending' AND approval_deadline <= ${now}
              ORDER BY approval_deadline, id LIMIT ${rowsPerStep} FOR UPDATE SKIP LOCKED) AS due
        WHERE l.organization_id = due.organization_id AND l.id = due.id
        RETURNING l.organization_id, l.repository_id, l.id`;
      await recordLearningChanges(
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

/** Shares or drops private Learnings that missed the end of their pull request. */
async function applyMissedEnds({ database, clock }: IndexDeps, signal: AbortSignal): Promise<void> {
  let settled = rowsPerStep;
  while (settled === rowsPerStep && !signal.aborted) {
    const unsettled = await findEndedPullRequests(database.sql, rowsPerStep);
    settled = unsettled.length;
    if (settled > 0) await database.transaction((tx) => applyPullRequestEnds(tx, unsettled, clock()));
  }
}

/** Counts uses that were stored at the same moment as their Learning, so that neither saw the other. */
async function countWaitingUses({ database }: IndexDeps): Promise<void> {
  const rows = await database.sql<{ organization_id: OrganizationId; learning_id: string }[]>`
    SELECT w.organization_id, w.learning_id FROM learning_uses_waiting w
    JOIN learnings l ON l.organization_id = w.organization_id AND l.id = w.learning_id LIMIT ${rowsPerStep}`;
  if (rows.length === 0) return;
  await database.transaction((tx) =>
    applyWaitingUses(
      tx,
      rows.map((row) => ({ organizationId: row.organization_id, id: row.learning_id })),
    ),
  );
}

/** The background work of Learnings: repairing the index and storing lifecycle changes that are due. */
export function learningSchedules(deps: IndexDeps): Schedule[] {
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
        await approvePastDeadlines(deps, signal);
        await applyMissedEnds(deps, signal);
        await countWaitingUses(deps);
      },
    },
  ];
}
