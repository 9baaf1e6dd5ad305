import type { CallerContext } from '../../../access/caller-context.ts';
import type { Db } from '../../../db/database.ts';
import { isOfComments, joinedFor, keyOf } from '../groups/group-key.ts';
import { byName, nameGroups } from '../groups/group-names.ts';
import type { InsightDeps } from '../measures/insight-deps.ts';
import { checkCount, isWanted } from '../measures/measure-window.ts';
import type { InsightFilter } from '../window/insight-filter.ts';
import { commentsOf } from '../window/select-comments.ts';
import { isInWindow, type SelectedWindow, selectWindow } from '../window/select-pull-requests.ts';

/** What filters let people choose among. */
export type ChoiceKind = 'repository' | 'author' | 'team' | 'source';

export interface Choice {
  readonly organization: string | null;
  /** What the filter is set to. */
  readonly id: string;
  /** Null for authors who are in no team. */
  readonly name: string | null;
}

async function findKeys(db: Db, window: SelectedWindow, of: ChoiceKind): Promise<string[]> {
  const ofComments = isOfComments(of)
    ? db`CROSS JOIN LATERAL (${commentsOf(db, window.filter)}) AS c`
    : joinedFor(db, of);
  await checkCount(db, window);
  const rows = await db<{ key: string }[]>`
    SELECT DISTINCT ${keyOf(db, of)} AS key FROM review_metrics p ${ofComments}
    WHERE p.organization_id = ANY(${window.organizationIds}::uuid[]) AND ${isInWindow(db, window)}`;
  return rows.map(({ key }) => key).filter((key) => isWanted(window, of, key));
}

/**
 * A page of what occurs in the window and matches a text, by name; the position is how many came before. An author in
 * several organizations is one choice, because the filter selects by id.
 */
export function listChoices(
  { database, limitMeasuring }: InsightDeps,
  { scope }: Pick<CallerContext, 'scope'>,
  filter: InsightFilter,
  { of, search = '' }: { readonly of: ChoiceKind; readonly search?: string | undefined },
  { after = 0, limit }: { after: number | undefined; limit: number },
): Promise<{ rows: readonly Choice[]; next: number | null }> {
  const wanted = search.toLowerCase();
  return limitMeasuring(async () => {
    const { sql } = database;
    const window = await selectWindow(sql, scope, filter);
    const names = await nameGroups(sql, window, of, await findKeys(sql, window, of));
    const matching = names
      .filter(({ name }) => (name ?? 'no team').toLowerCase().includes(wanted))
      .toSorted(byName)
      .flatMap(({ organization, id, name }) => {
        const value = id ?? (of === 'team' ? 'none' : null);
        return value === null ? [] : [{ organization, id: value, name }];
      });
    const unique = [...new Map(matching.map((choice) => [choice.id, choice])).values()];
    const end = after + limit;
    return { rows: unique.slice(after, end), next: end < unique.length ? end : null };
  });
}
