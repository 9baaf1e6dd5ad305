import type { Db } from '../../../../db/database.ts';
import { isFixable } from '../../../../reviewer/judge/fixable.ts';
import { worstFirst } from '../../../../reviewer/judge/judge.ts';
import type { Fix } from '../../runs/fix-record.ts';
import { findRun } from '../../runs/store.ts';
import { asFinding, type KnownFinding } from '../following/known-finding.ts';
import { findKnownFindings } from '../following/known-finding-store.ts';

/** The open findings with safe suggestions that people were shown at this head, the worst first. */
export async function findFixable(
  db: Db,
  fix: Pick<Fix, 'organizationId' | 'repositoryId' | 'number' | 'runId' | 'head'>,
) {
  const run = await findRun(db, fix);
  const quiet = new Set(run?.report?.quiet.map(({ finding_id }) => finding_id));
  const isShown = ({ posted, isReleased }: KnownFinding) =>
    run?.release === null || posted !== null || isReleased;
  return (await findKnownFindings(db, fix))
    .filter(({ state, accepted, headRevision }) => {
      return state === 'open' && accepted !== false && headRevision === fix.head;
    })
    .filter((finding) => isFixable(finding) && isShown(finding) && !quiet.has(finding.identity))
    .map(asFinding)
    .sort(worstFirst);
}
