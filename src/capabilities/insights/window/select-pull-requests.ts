import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Db, Fragment } from '../../../db/database.ts';
import { arrayLiteral, plainArrayLiteral } from '../../../db/driver/array-literal.ts';
import { dayOfDate, entryClasses, slotsPerSpan } from '../../review-metrics/order/day-spans.ts';
import { findReadableStorages } from '../../review-metrics/storage/readable-storages.ts';
import type { InsightFilter } from './insight-filter.ts';
import { hasSelectedComment } from './select-comments.ts';

/** A window of pull requests, ready to be read. */
export interface SelectedWindow {
  readonly filter: InsightFilter;
  /** The ids of the organizations as the text of an array. */
  readonly organizationIds: string;
  /** The storages of their metrics, as a list in SQL. */
  readonly storageIds: string;
}

/** Finds where the metrics of the window are; throws if they cannot be read now. */
export async function selectWindow(db: Db, scope: OrgScope, filter: InsightFilter): Promise<SelectedWindow> {
  const storages = await findReadableStorages(db, scope);
  const storageIds = new Set(storages.map(({ storageId }) => storageId));
  return {
    filter,
    organizationIds: plainArrayLiteral(organizationIdsOf(scope)),
    storageIds: storageIds.size === 0 ? '0' : [...storageIds].join(', '),
  };
}

/** The condition on rows `p` of `review_metrics` that are merged pull requests of the window. */
export function isInWindow(db: Db, { filter, organizationIds, storageIds }: SelectedWindow): Fragment {
  const { repositoryIds, authorIds } = filter;
  const firstSlot = dayOfDate(filter.startDate) * slotsPerSpan;
  const lastSlot = dayOfDate(filter.endDate) * slotsPerSpan + slotsPerSpan - 1;
  const ofRepositories =
    repositoryIds === undefined
      ? db``
      : db`AND (p.organization_id, p.repository_id) IN (
          SELECT organization_id, id FROM repositories WHERE organization_id = ANY(${organizationIds}::uuid[])
            AND provider_repository_id = ANY(${arrayLiteral(repositoryIds)}::text[]))`;
  const ofAuthors =
    authorIds === undefined ? db`` : db`AND p.author_id = ANY(${arrayLiteral(authorIds)}::text[])`;
  return db`p.storage_id IN (${db.unsafe(storageIds)}) AND p.organization_id = ANY(${organizationIds}::uuid[])
    AND p.write_seq IS NOT NULL AND p.slot_1 BETWEEN ${firstSlot} AND ${lastSlot}
    AND p.slot_1 % ${db.unsafe(String(slotsPerSpan))} <> ${db.unsafe(String(entryClasses.closed))}
    ${ofRepositories} ${ofAuthors} AND ${hasSelectedComment(db, filter)}`;
}
