import type { CallerContext } from '../../../access/caller-context.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { dayOfDate, entryClasses, slotsPerSpan } from '../order/day-spans.ts';
import { findReadableStorages, type OrganizationStorage } from '../storage/readable-storages.ts';

/** Comments by outcome: accepted, not accepted (which does not prove rejection), or unknown. */
export interface Outcomes {
  readonly posted: number;
  readonly accepted: number;
  readonly not_accepted: number;
  readonly unknown: number;
}

type Row = Outcomes & {
  readonly by: 'day' | 'severity' | 'category' | 'repository';
  readonly name: string | null;
};

interface Window {
  readonly start_date: string;
  readonly end_date: string;
  readonly repository_ids?: readonly string[] | undefined;
}

const noOutcomes: Outcomes = { posted: 0, accepted: 0, not_accepted: 0, unknown: 0 };

function addOutcomes(one: Outcomes, other: Outcomes): Outcomes {
  return {
    posted: one.posted + other.posted,
    accepted: one.accepted + other.accepted,
    not_accepted: one.not_accepted + other.not_accepted,
    unknown: one.unknown + other.unknown,
  };
}

// The entry of a pull request is one JSON text; the database parses it and counts, so that only sums are transferred.
async function countOutcomes(
  tx: Tx,
  storageId: number,
  storages: readonly OrganizationStorage[],
  { start_date, end_date, repository_ids }: Window,
): Promise<Row[]> {
  const slot = (date: string) => dayOfDate(date) * slotsPerSpan + entryClasses.mergedWithComments;
  const organizationIds = storages.map(({ organizationId }) => organizationId);
  return tx<Row[]>`
    SELECT CASE WHEN grouping(day) = 0 THEN 'day' WHEN grouping(severity) = 0 THEN 'severity'
        WHEN grouping(category) = 0 THEN 'category' ELSE 'repository' END AS by,
      coalesce(day, severity, category, repository) AS name, count(*)::int AS posted,
      (count(*) FILTER (WHERE accepted))::int AS accepted, (count(*) FILTER (WHERE NOT accepted))::int AS not_accepted,
      (count(*) FILTER (WHERE accepted IS NULL))::int AS unknown
    FROM (
      SELECT to_char(m.merged_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, o.name || ' / ' || r.name AS repository,
        c.severity, c.category, c.accepted
      FROM review_metrics m
      JOIN repositories r ON r.organization_id = m.organization_id AND r.id = m.repository_id
      JOIN organizations o ON o.id = m.organization_id
      CROSS JOIN LATERAL jsonb_to_recordset(m.entry::jsonb->'coderabbit_comments') AS c (severity text, category text, accepted boolean)
      WHERE m.storage_id = ${tx.unsafe(String(storageId))} AND m.organization_id = ANY(${organizationIds}::uuid[])
        AND m.write_seq IS NOT NULL AND m.slot_1 BETWEEN ${slot(start_date)} AND ${slot(end_date)}
        AND m.slot_1 % ${tx.unsafe(String(slotsPerSpan))} = ${entryClasses.mergedWithComments}
        ${repository_ids === undefined ? tx`` : tx`AND r.provider_repository_id = ANY(${[...repository_ids]}::text[])`}
    ) AS comments
    GROUP BY GROUPING SETS ((day), (severity), (category), (repository))`;
}

function sumBy(rows: readonly Row[], by: Row['by']) {
  const sums = new Map<string | null, Outcomes>();
  for (const row of rows.filter((candidate) => candidate.by === by))
    sums.set(row.name, addOutcomes(sums.get(row.name) ?? noOutcomes, row));
  return [...sums]
    .map(([name, outcomes]) => ({ name, ...outcomes }))
    .toSorted((one, other) => other.posted - one.posted || ((one.name ?? '') < (other.name ?? '') ? -1 : 1));
}

/** Sums up the comments on pull requests merged in the window: by day, severity, category and repository. */
export async function summariseComments(
  { database }: { database: Database },
  { scope }: CallerContext,
  window: Window,
) {
  const rows = await database.transaction(
    async (tx) => {
      const storages = await findReadableStorages(tx, scope);
      const counted: Row[] = [];
      for (const [storageId, group] of Map.groupBy(storages, (storage) => storage.storageId))
        counted.push(...(await countOutcomes(tx, storageId, group, window)));
      return counted;
    },
    { isolation: 'repeatable read', readOnly: true },
  );
  const days = sumBy(rows, 'day').toSorted((one, other) => (one.name! < other.name! ? -1 : 1));
  const total = days.reduce<Outcomes>(addOutcomes, noOutcomes);
  return {
    total,
    days: days.map(({ name, ...outcomes }) => ({ date: name!, ...outcomes })),
    severities: sumBy(rows, 'severity'),
    categories: sumBy(rows, 'category'),
    repositories: sumBy(rows, 'repository').map((row) => ({ ...row, name: row.name! })),
  };
}
