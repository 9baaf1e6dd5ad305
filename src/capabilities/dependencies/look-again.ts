import type { Database, Tx } from '../../db/database.ts';
import type { PackageName } from '../../reviewer/rules/dependencies/osv/find-advisories.ts';
import type { PullRequestReading } from '../connections/reading/pull-request-listener.ts';

/** The minimum pause between two readings, because busy repositories merge every few minutes. */
const restMs = 10 * 60_000;

/** Makes reading a repository due after a merge. If another branch was merged into, that costs one call without a fetch. */
export async function lookAfterMerge(
  { database, clock }: { readonly database: Database; readonly clock: () => Date },
  { repository: { organizationId, repositoryId }, pull }: PullRequestReading,
): Promise<void> {
  if (pull.state !== 'merged') return;
  await database.sql`
    UPDATE repository_inventories
    SET due_at = least(due_at, greatest(${clock()}, read_at + ${restMs} * interval '1 millisecond'))
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId}`;
}

/** Makes repositories with these packages due, because advisories about the packages have changed. */
export async function lookAfterAdvisories(tx: Tx, packages: readonly PackageName[]): Promise<void> {
  await tx`
    UPDATE repository_inventories i SET due_at = '-infinity'
    FROM (
      SELECT DISTINCT p.organization_id, p.repository_id
      FROM unnest(${packages.map(({ ecosystem }) => ecosystem)}::text[], ${packages.map(({ name }) => name)}::text[]) AS known (ecosystem, name)
      JOIN repository_packages p ON p.ecosystem = known.ecosystem AND lower(p.name) = lower(known.name)
    ) AS holder
    WHERE i.organization_id = holder.organization_id AND i.repository_id = holder.repository_id`;
}
