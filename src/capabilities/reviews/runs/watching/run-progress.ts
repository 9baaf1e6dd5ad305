import type { Db } from '../../../../db/database.ts';
import type { OrganizationId } from '../../../../lib/ids.ts';
import type { RunStatus } from '../run-record.ts';

/** The stages of a run, for people who wait for it. */
export const runStages = ['starting', 'reading', 'reviewing', 'publishing'] as const;
export type RunStage = (typeof runStages)[number];

/** The progress of a run; the stage is null unless it is running. */
export interface RunProgress {
  readonly id: string;
  readonly status: RunStatus;
  readonly stage: RunStage | null;
}

/** The progress of these runs; runs of other organizations are left out. */
export async function findProgress(
  db: Db,
  organizationId: OrganizationId,
  runIds: readonly string[],
): Promise<RunProgress[]> {
  return db<RunProgress[]>`
    SELECT r.id, r.status, CASE WHEN r.status <> 'running' THEN NULL
      WHEN w.stages ? 'judge' THEN 'publishing'
      WHEN w.stages ? 'rules' OR w.diff IS NOT NULL THEN 'reviewing'
      WHEN w.stages ? 'plan' THEN 'reading'
      ELSE 'starting' END AS stage
    FROM review_runs r LEFT JOIN review_run_work w ON w.organization_id = r.organization_id AND w.run_id = r.id
    WHERE r.organization_id = ${organizationId} AND r.id = ANY(${[...runIds]}::uuid[]) ORDER BY r.id`;
}

export function hasEnded({ status }: RunProgress): boolean {
  return status !== 'queued' && status !== 'running';
}
