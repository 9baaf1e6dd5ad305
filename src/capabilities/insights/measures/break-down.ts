import type { CallerContext } from '../../../access/caller-context.ts';
import type { Db } from '../../../db/database.ts';
import { arrayLiteral } from '../../../db/driver/array-literal.ts';
import type { InsightFilter } from '../window/insight-filter.ts';
import { isInWindow, type SelectedWindow, selectWindow } from '../window/select-pull-requests.ts';
import type { InsightDeps } from './insight-deps.ts';
import { type Grouping, type MeasuredGroup, type Measures, measureWindow } from './measure-window.ts';

export type BreakdownGrouping = Exclude<Grouping, 'day' | 'week'>;

export interface BreakdownGroup extends Measures {
  /** The organization that the group belongs to, if it belongs to one. */
  readonly organization: string | null;
  /** What filters call the group; null for what has no repository, author, severity or the like. */
  readonly id: string | null;
  readonly name: string | null;
  /** Of a group by source and severity. */
  readonly severity: string | null;
  /** What a source cost; null where nobody told Postil. */
  readonly cost_usd: number | null;
}

interface Name {
  readonly id: string;
  readonly name: string;
}

async function repositoryNames(db: Db, { organizationIds }: SelectedWindow, keys: readonly string[]) {
  const rows = await db<(Name & { key: string; organization_name: string })[]>`
    SELECT r.id AS key, r.provider_repository_id AS id, r.name, o.name AS organization_name
    FROM repositories r JOIN organizations o ON o.id = r.organization_id
    WHERE r.organization_id = ANY(${organizationIds}::uuid[]) AND r.id = ANY(${arrayLiteral(keys)}::uuid[])`;
  return new Map(rows.map(({ key, ...row }): [string, Name] => [key, row]));
}

async function authorNames(db: Db, { organizationIds, storageIds }: SelectedWindow, keys: readonly string[]) {
  const rows = await db<Name[]>`
    SELECT DISTINCT ON (k.id) k.id, coalesce(m.username, p.author_username, k.id) AS name
    FROM unnest(${arrayLiteral(keys)}::text[]) AS k (id)
    CROSS JOIN unnest(${organizationIds}::uuid[]) AS o (id)
    LEFT JOIN members m ON m.organization_id = o.id AND m.provider_user_id = k.id
    LEFT JOIN LATERAL (
      SELECT p.author_username FROM review_metrics p
      WHERE p.storage_id IN (${db.unsafe(storageIds)}) AND p.organization_id = o.id AND p.author_id = k.id AND p.write_seq IS NOT NULL
      ORDER BY p.write_seq DESC LIMIT 1) AS p ON m.username IS NULL
    ORDER BY k.id, m.username NULLS LAST, p.author_username NULLS LAST`;
  return new Map(rows.map((row) => [row.id, row]));
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

/** Splits off the first part of a key; the second may contain anything. */
function partsOf(key: string): [string, string] {
  const end = key.indexOf(' ');
  return [key.slice(0, end), key.slice(end + 1)];
}

async function nameGroups(
  db: Db,
  window: SelectedWindow,
  by: BreakdownGrouping,
  groups: readonly MeasuredGroup[],
): Promise<BreakdownGroup[]> {
  if (by === 'repository' || by === 'author') {
    const keys = groups.map(({ key }) => partsOf(key)[1]).filter((key) => key !== '');
    const names = await (by === 'repository' ? repositoryNames : authorNames)(db, window, keys);
    return groups.map(({ key, ...measures }) => {
      const [organization, part] = partsOf(key);
      const { id = null, name = null } = names.get(part) ?? {};
      return { organization, id, name, severity: null, cost_usd: null, ...measures };
    });
  }
  const costs: Readonly<Record<string, number>> =
    by === 'source' ? { rule: 0, model: await sumModelCost(db, window) } : {};
  return groups.map(({ key, ...measures }) => {
    const [severity, source] = by === 'source_and_severity' ? partsOf(key) : ['', key];
    const id = source === '' ? null : source;
    const cost_usd = costs[source] ?? null;
    return {
      organization: null,
      id,
      name: id,
      severity: severity === '' ? null : severity,
      cost_usd,
      ...measures,
    };
  });
}

export type BreakdownSort = 'name' | 'pull_requests' | 'posted';

const collator = new Intl.Collator('en', { numeric: true });

/** By name unless another order is wanted: people are not ranked by default. */
function byOrder(sort: BreakdownSort) {
  return (one: BreakdownGroup, other: BreakdownGroup) =>
    Number(one.name === null) - Number(other.name === null) ||
    (sort === 'name' ? 0 : other[sort] - one[sort]) ||
    collator.compare(one.name ?? '', other.name ?? '') ||
    collator.compare(
      `${one.organization}/${one.id}/${one.severity}`,
      `${other.organization}/${other.id}/${other.severity}`,
    );
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
        return nameGroups(tx, window, by, await measureWindow(tx, window, by));
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
