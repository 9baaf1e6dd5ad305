import type { Database, Tx } from '../../../db/database.ts';
import { plainArrayLiteral } from '../../../db/driver/array-literal.ts';
import { readBeside } from '../../../db/same-moment.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { type SpanKeyRange, slotsPerSpan, spanKeysPerSize, sumDays } from '../order/day-spans.ts';
import type { OrganizationStorage } from '../storage/readable-storages.ts';
import { type CountedOutcomes, countColumns, totalColumns } from './comment-counts.ts';
import { countedEntries } from './count-entries.ts';

/** Whose comments are summed up, and from which to which day. */
export interface SumsRequest {
  readonly organizations: readonly OrganizationStorage[];
  /** Null for all repositories of the organizations. */
  readonly repositoryIds: readonly RepositoryId[] | null;
  readonly firstDay: number;
  readonly lastDay: number;
}

export interface Sums {
  readonly days: readonly (CountedOutcomes & { readonly day: number })[];
  readonly repositories: readonly (CountedOutcomes & {
    readonly organization_id: OrganizationId;
    readonly repository_id: RepositoryId;
  })[];
  /** All count columns. */
  readonly all: Readonly<Record<string, number>>;
}

const sumOf = (columns: readonly string[]) =>
  columns.map((name) => `coalesce(sum(${name}), 0)::bigint AS ${name}`).join(', ');
const negativeSumOf = (columns: readonly string[]) =>
  columns.map((name) => `-coalesce(sum(${name}), 0)::bigint`).join(', ');
const changeOf = (columns: readonly string[]) =>
  columns.map((name) => `counts[${countColumns.indexOf(name) + 1}] AS ${name}`).join(', ');

function idsOf(organizations: readonly OrganizationStorage[]): string {
  return plainArrayLiteral(organizations.map(({ organizationId }) => organizationId));
}

/** Whether the sums of all these organizations are complete. */
export async function areSumsComplete(
  tx: Tx,
  organizations: readonly OrganizationStorage[],
): Promise<boolean> {
  const rows = await tx`
    SELECT 1 FROM comment_sum_backlog WHERE organization_id = ANY(${idsOf(organizations)}::uuid[]) LIMIT 1`;
  return rows.length === 0;
}

/** The conditions of a request, as parts of statements of one transaction. */
function conditionsOf(tx: Tx, { organizations, repositoryIds, firstDay, lastDay }: SumsRequest) {
  const ids = idsOf(organizations);
  const inRepositories =
    repositoryIds === null ? tx`` : tx`AND repository_id = ANY(${plainArrayLiteral(repositoryIds)}::uuid[])`;
  const inScope = tx`organization_id = ANY(${ids}::uuid[]) ${inRepositories}`;
  return {
    inScope,
    ofWhole: tx(repositoryIds === null ? 'organization_comment_sums' : 'repository_comment_sums'),
    within: (ranges: readonly SpanKeyRange[]) => tx`
      unnest(${plainArrayLiteral(ranges.map(({ first }) => first))}::int[],
        ${plainArrayLiteral(ranges.map(({ last }) => last))}::int[]) AS range (first, last)
      WHERE span BETWEEN range.first AND range.last AND ${inScope}`,
    changes: tx`
      FROM comment_sum_changes
      WHERE organization_id = ANY(${ids}::uuid[]) ${inRepositories} AND day BETWEEN ${firstDay} AND ${lastDay}`,
  };
}

// Each part is summed up before the UNION, because passing single rows through a further node of the plan is slower.
async function readPart(tx: Tx, request: SumsRequest): Promise<Sums> {
  const { inScope, ofWhole, within, changes } = conditionsOf(tx, request);
  const { added, subtracted } = sumDays(request.firstDay, request.lastDay);
  const totals = tx.unsafe(sumOf(totalColumns));
  // Implied by the range of days, but the planner needs it to use the partial index of days.
  const isDay = tx.unsafe(`span < ${spanKeysPerSize}`);
  const [days, repositories, [all]] = await Promise.all([
    tx<Sums['days'][number][]>`
      SELECT day, ${totals} FROM (
        SELECT span AS day, ${totals} FROM ${ofWhole}
        WHERE span BETWEEN ${request.firstDay} AND ${request.lastDay} AND ${isDay} AND ${inScope} GROUP BY span
        UNION ALL SELECT day, ${tx.unsafe(changeOf(totalColumns))} ${changes}) AS sums
      GROUP BY day HAVING sum(posted) > 0`,
    tx<Sums['repositories'][number][]>`
      SELECT organization_id, repository_id, ${totals} FROM (
        SELECT organization_id, repository_id, ${tx.unsafe(totalColumns.join(', '))}
        FROM repository_comment_sums, ${within(added)}
        UNION ALL SELECT organization_id, repository_id, ${tx.unsafe(totalColumns.map((name) => `-${name}`).join(', '))}
        FROM repository_comment_sums, ${within(subtracted)}
        UNION ALL SELECT organization_id, repository_id, ${tx.unsafe(changeOf(totalColumns))} ${changes}) AS sums
      GROUP BY organization_id, repository_id HAVING sum(posted) > 0`,
    tx<[Sums['all']]>`
      SELECT ${tx.unsafe(sumOf(countColumns))} FROM (
        SELECT ${tx.unsafe(sumOf(countColumns))} FROM ${ofWhole}, ${within(added)}
        UNION ALL SELECT ${tx.unsafe(negativeSumOf(countColumns))} FROM ${ofWhole}, ${within(subtracted)}
        UNION ALL SELECT ${tx.unsafe(changeOf(countColumns))} ${changes}) AS sums`,
  ]);
  return { days, repositories, all };
}

function addColumns<Row extends object>(one: Row, other: Row, columns: readonly string[]): Row {
  const sum = { ...one } as Record<string, number>;
  for (const name of columns) sum[name]! += (other as Record<string, number>)[name]!;
  return sum as Row;
}

/** The sums of two sets of organizations together. */
function addSums(one: Sums, other: Sums): Sums {
  const days = new Map(one.days.map((row) => [row.day, row]));
  for (const row of other.days) {
    const sum = days.get(row.day);
    days.set(row.day, sum === undefined ? row : addColumns(sum, row, totalColumns));
  }
  return {
    days: [...days.values()],
    repositories: [...one.repositories, ...other.repositories],
    all: addColumns(one.all, other.all, countColumns),
  };
}

/** With fewer organizations, a second connection takes longer than it saves. */
const minOrganizationsBeside = 9;

/**
 * Reads the sums of a window in a repeatable-read transaction: a few rows of spans, and the changes that they do not include
 * yet. The days of many organizations are many rows, so then half of the organizations are read in parallel, on a second
 * connection.
 */
export async function readSums(database: Database, tx: Tx, request: SumsRequest): Promise<Sums> {
  const { organizations } = request;
  if (organizations.length < minOrganizationsBeside) return readPart(tx, request);
  const middle = organizations.length >> 1;
  const [one, other] = await Promise.all([
    readBeside(database, tx, (beside) =>
      readPart(beside, { ...request, organizations: organizations.slice(0, middle) }),
    ),
    readPart(tx, { ...request, organizations: organizations.slice(middle) }),
  ]);
  return addSums(one, other);
}

/** The same out of the entries themselves: for organizations whose sums are not complete. */
export async function countSums(tx: Tx, request: SumsRequest): Promise<Sums> {
  const { organizations, repositoryIds, firstDay, lastDay } = request;
  const inRepositories =
    repositoryIds === null
      ? tx``
      : tx`AND m.repository_id = ANY(${plainArrayLiteral(repositoryIds)}::uuid[])`;
  const storageIds = [...new Set(organizations.map(({ storageId }) => storageId))];
  const condition = tx`m.organization_id = ANY(${idsOf(organizations)}::uuid[]) ${inRepositories}
    AND m.slot_1 BETWEEN ${firstDay * slotsPerSpan} AND ${(lastDay + 1) * slotsPerSpan - 1}`;
  const rows = await tx<(CountedOutcomes & Record<string, unknown> & { by: keyof Sums })[]>`
    SELECT CASE WHEN grouping(day) = 0 THEN 'days' WHEN grouping(repository_id) = 0 THEN 'repositories' ELSE 'all' END AS by,
      day, organization_id, repository_id, ${tx.unsafe(sumOf(countColumns))}
    FROM (${countedEntries(tx, storageIds, condition)}) AS counted
    GROUP BY GROUPING SETS ((day), (organization_id, repository_id), ())`;
  const { days = [], repositories = [], all } = Object.groupBy(rows, ({ by }) => by);
  return { days, repositories, all: all![0] } as unknown as Sums;
}
