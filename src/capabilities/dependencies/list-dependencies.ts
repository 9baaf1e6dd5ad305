import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import { type Ecosystem, ecosystems } from '../../reviewer/review-report.ts';
import type { StoredPackage } from './inventory-record.ts';

export interface DependencyFilter {
  /** Its id at the Git provider. */
  readonly repositoryId?: string | undefined;
  readonly ecosystem?: Ecosystem | undefined;
  /** The beginning of the name, ignoring case. */
  readonly name?: string | undefined;
  /** Whether an advisory applies to it. */
  readonly isAffected?: boolean | undefined;
}

/** A package in one version, and one of the repositories that have it. */
export interface ListedDependency extends StoredPackage {
  readonly repositoryKey: string;
  readonly repositoryId: string;
  readonly repositoryName: string;
}

export interface DependencyPosition {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
  readonly repository: string;
}

const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * A page of the dependencies of the organization's repositories, by ecosystem, name, version and repository. Reads each
 * ecosystem by its own index range, so that the cost does not depend on the total number of rows.
 */
export async function listDependencies(
  { database }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  { repositoryId, ecosystem, name, isAffected }: DependencyFilter,
  { after, limit }: { readonly after: DependencyPosition | undefined; readonly limit: number },
): Promise<{ readonly rows: readonly ListedDependency[]; readonly next: DependencyPosition | null }> {
  const { sql } = database;
  const { id } = onlyOrganization(scope).organization;
  const wanted = (ecosystem === undefined ? ecosystems : [ecosystem])
    .filter((each) => after === undefined || each >= after.ecosystem)
    .toSorted();
  // Within one repository the primary key provides the order, which is case-sensitive.
  const own = repositoryId !== undefined;
  const order = own ? sql`p.name, p.version` : sql`lower(p.name), p.name, p.version, p.repository_id`;
  const start = own
    ? sql`(wanted.name, wanted.version)`
    : sql`(lower(wanted.name COLLATE "C"), wanted.name, wanted.version, wanted.repository)`;
  // Only the position's own ecosystem continues after it; the others are read from their beginning.
  const starts = wanted.map((each) =>
    each === after?.ecosystem ? after : { name: '', version: '', repository: nobody },
  );
  const found = await sql<ListedDependency[]>`
    SELECT p.ecosystem, p.name, p.version, p.is_fixed AS "isFixed", p.is_direct AS "isDirect", p.licence, p.path, p.advisories,
      p.severity, r.id AS "repositoryKey", r.provider_repository_id AS "repositoryId", r.name AS "repositoryName"
    FROM unnest(${wanted}::text[], ${starts.map((each) => each.name)}::text[], ${starts.map((each) => each.version)}::text[],
      ${starts.map((each) => each.repository)}::uuid[]) AS wanted (ecosystem, name, version, repository)
    CROSS JOIN LATERAL (
      SELECT p.* FROM repository_packages p
      WHERE p.organization_id = ${id} AND p.ecosystem = wanted.ecosystem AND (${order}) > ${start}
        ${own ? sql`AND p.repository_id = (SELECT id FROM repositories WHERE organization_id = ${id} AND provider_repository_id = ${repositoryId})` : sql``}
        ${name === undefined ? sql`` : sql`AND lower(p.name) >= lower(${name} COLLATE "C") AND lower(p.name) < lower(${`${name}\u{10ffff}`} COLLATE "C")`}
        ${isAffected === true ? sql`AND p.severity IS NOT NULL` : sql``}
      ORDER BY ${order} LIMIT ${limit + 1}
    ) AS p
    JOIN repositories r ON r.organization_id = ${id} AND r.id = p.repository_id
    ORDER BY p.ecosystem, ${order} LIMIT ${limit + 1}`;
  return cutPage(found, limit, (last) => ({
    ecosystem: last.ecosystem,
    name: last.name,
    version: last.version,
    repository: last.repositoryKey,
  }));
}
