import type { Db, Fragment } from '../../../db/database.ts';
import { isHeld } from '../../../work/leases.ts';

/** The kind of work that does runs; its keys are the ids of the runs. */
export const reviewUnitName = 'review-change';

/** Whether a node holds a lease on the run `r`; true also shortly after the run was stopped. */
export function isRunInHand(db: Db): Fragment {
  return db`EXISTS (
    SELECT FROM taken_work t WHERE t.kind = ${reviewUnitName} AND t.key = r.id::text AND ${db.unsafe(isHeld('t'))})`;
}
