import type { Db } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { type Grouping, isOfComments } from '../groups/group-key.ts';
import { selectsComments } from '../window/insight-filter.ts';
import { isInWindow, type SelectedWindow } from '../window/select-pull-requests.ts';
import { measureComments } from './measure-comments.ts';
import { measurePullRequests } from './measure-pull-requests.ts';
import type { MeasuredGroup, Measures } from './measures.ts';

/** A window is measured by going through its pull requests; beyond this number that takes too long. */
const maxPullRequests = 100_000;

/** People of a chosen team can be in others too: those were not chosen. */
export function isWanted(
  { filter: { teamIds } }: SelectedWindow,
  grouping: Grouping | null,
  key: string,
): boolean {
  return grouping !== 'team' || teamIds === undefined || teamIds.includes(key === '' ? 'none' : key);
}

/** Throws if the window has more pull requests than can be gone through. */
export async function checkCount(db: Db, window: SelectedWindow): Promise<void> {
  const rows = await db`
    SELECT FROM review_metrics p
    WHERE p.organization_id = ANY(${window.organizationIds}::uuid[]) AND ${isInWindow(db, window)}
    OFFSET ${maxPullRequests} LIMIT 1`;
  if (rows.length === 0) return;
  throw new AppError(
    'RESPONSE_TOO_LARGE',
    `More than ${maxPullRequests} pull requests were merged in this period; choose a shorter one or fewer repositories`,
  );
}

export interface MeasuredWindow {
  /** Groups without pull requests are left out. */
  readonly groups: readonly MeasuredGroup[];
  /** A pull request that is in several groups counts once in each. */
  readonly total: Measures;
}

/** Measures the pull requests of the window and their comments, in groups. */
export async function measureWindow(
  db: Db,
  window: SelectedWindow,
  grouping: Grouping | null,
): Promise<MeasuredWindow> {
  await checkCount(db, window);
  const isAboutComments = isOfComments(grouping) || selectsComments(window.filter);
  const rows = await (isAboutComments ? measureComments : measurePullRequests)(db, window, grouping);
  const groups: MeasuredGroup[] = [];
  let total: Measures | undefined;
  for (const { key, ...measures } of rows) {
    if (key === null) total = measures;
    else if (isWanted(window, grouping, key)) groups.push({ key, ...measures });
  }
  return { groups, total: total! };
}
