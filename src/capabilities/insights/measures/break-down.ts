import type { CallerContext } from '../../../access/caller-context.ts';
import type { Db } from '../../../db/database.ts';
import type { Grouping } from '../groups/group-key.ts';
import { byName, type GroupName, nameGroups } from '../groups/group-names.ts';
import type { InsightFilter } from '../window/insight-filter.ts';
import { isInWindow, type SelectedWindow, selectWindow } from '../window/select-pull-requests.ts';
import type { InsightDeps } from './insight-deps.ts';
import { measureWindow } from './measure-window.ts';
import type { MeasuredGroup, Measures } from './measures.ts';

export type BreakdownGrouping = Exclude<Grouping, 'day' | 'week'>;

export interface BreakdownGroup extends Measures, GroupName {
  /** The cost of a source; null if Postil does not know it, as for other reviewers. */
  readonly cost_usd: number | null;
}

/** What the model cost in all reviews of the pull requests of the window. */
async function sumModelCost(db: Db, window: SelectedWindow): Promise<number> {
  const [sum] = await db<[{ cost: number }]>`
    SELECT coalesce(sum(r.cost_usd), 0)::float8 AS cost
    FROM review_metrics p
    JOIN review_runs r ON r.organization_id = p.organization_id AND r.repository_id = p.repository_id AND r.pull_request = p.number
    WHERE ${isInWindow(db, window)}`;
  return sum.cost;
}

/** Adds to each group its name, and by source what it cost. */
async function describeGroups(
  db: Db,
  window: SelectedWindow,
  by: BreakdownGrouping,
  groups: readonly MeasuredGroup[],
): Promise<BreakdownGroup[]> {
  const names = await nameGroups(
    db,
    window,
    by,
    groups.map(({ key }) => key),
  );
  const costs: Readonly<Record<string, number>> =
    by === 'source' ? { rule: 0, model: await sumModelCost(db, window) } : {};
  return groups.map(({ key, ...measures }, index) => {
    const cost_usd = costs[key] ?? null;
    return { ...names[index]!, cost_usd, ...measures };
  });
}

export type BreakdownSort = 'name' | 'pull_requests' | 'posted';

/** By name unless another order is wanted: people are not ranked by default. */
function byOrder(sort: BreakdownSort) {
  return (one: BreakdownGroup, other: BreakdownGroup) =>
    Number(one.name === null) - Number(other.name === null) ||
    (sort === 'name' ? 0 : other[sort] - one[sort]) ||
    byName(one, other);
}

/** Measures the window in groups. */
export function breakDown(
  { database, limitMeasuring }: InsightDeps,
  { scope }: Pick<CallerContext, 'scope'>,
  filter: InsightFilter,
  { by, sort }: { readonly by: BreakdownGrouping; readonly sort: BreakdownSort },
): Promise<BreakdownGroup[]> {
  const read = () =>
    database.transaction(
      async (tx) => {
        const window = await selectWindow(tx, scope, filter);
        const { groups } = await measureWindow(tx, window, by);
        return describeGroups(tx, window, by, groups);
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  return limitMeasuring(async () => (await read()).toSorted(byOrder(sort)));
}

/** A page of the groups; the position is how many came before. */
export async function breakDownPage(
  deps: InsightDeps,
  context: Pick<CallerContext, 'scope'>,
  filter: InsightFilter,
  order: { readonly by: BreakdownGrouping; readonly sort: BreakdownSort },
  { after = 0, limit }: { after: number | undefined; limit: number },
): Promise<{ rows: readonly BreakdownGroup[]; next: number | null }> {
  const groups = await breakDown(deps, context, filter, order);
  const end = after + limit;
  return { rows: groups.slice(after, end), next: end < groups.length ? end : null };
}
