import type { Db, Fragment } from '../../../db/database.ts';
import { isHeld } from '../../../work/leases.ts';

/** The kind of work that does runs; its keys are their ids. */
export const reviewUnitName = 'review-change';

/** Whether somebody works on the run `r`, also on one that was stopped a moment ago. */
export function isRunInHand(db: Db): Fragment {
  return db`EXISTS (
    SELECT FROM taken_work t WHERE t.kind = ${reviewUnitName} AND t.key = r.id::text AND ${db.unsafe(isHeld('t'))})`;
}
