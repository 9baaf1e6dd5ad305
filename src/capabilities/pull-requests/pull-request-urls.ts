import type { Tx } from '../../db/database.ts';
import { arrayLiteral, plainArrayLiteral } from '../../db/driver/array-literal.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import type { PullRequestKey } from './pull-request-state.ts';

/** Identifies a pull request by its current or a former URL, as finding outcomes and MCP usage do. */
export interface PullRequestUrl {
  readonly organizationId: OrganizationId;
  readonly url: string;
}

/** The URLs as rows `k (organization_id, url)` of a statement. */
export function urlRows(tx: Tx, urls: readonly PullRequestUrl[]) {
  return tx`unnest(${plainArrayLiteral(urls.map(({ organizationId }) => organizationId))}::uuid[],
    ${arrayLiteral(urls.map(({ url }) => url))}::text[]) AS k (organization_id, url)`;
}

/** Joins `n (repository_id, number)` of every pull request that has or once had the URL `k`; some may occur twice. */
export function joinKeysByUrl(tx: Tx) {
  return tx`
    CROSS JOIN LATERAL (
      SELECT p.repository_id, p.number FROM pull_requests p
      WHERE p.organization_id = k.organization_id AND md5(p.url)::uuid = md5(k.url)::uuid AND p.url = k.url
      UNION ALL
      SELECT f.repository_id, f.number FROM former_pull_request_urls f
      WHERE f.organization_id = k.organization_id AND f.url_hash = md5(k.url)::uuid AND f.url = k.url
      OFFSET 0) n`;
}

/** Whether any stored pull request has or once had one of these URLs. */
export async function isAnyUrlKnown(tx: Tx, urls: readonly PullRequestUrl[]): Promise<boolean> {
  const [row] = await tx<[{ known: boolean }]>`
    SELECT EXISTS (SELECT 1 FROM ${urlRows(tx, urls)} ${joinKeysByUrl(tx)}) AS known`;
  return row.known;
}

/** Stores URLs that pull requests no longer have; those stored before are kept. */
export async function storeFormerUrls(
  tx: Tx,
  former: readonly (PullRequestKey & PullRequestUrl)[],
): Promise<void> {
  if (former.length === 0) return;
  await tx`
    INSERT INTO former_pull_request_urls (organization_id, url_hash, repository_id, number, url)
    SELECT r.organization_id, md5(r.url)::uuid, r.repository_id, r.number, r.url
    FROM unnest(${plainArrayLiteral(former.map(({ organizationId }) => organizationId))}::uuid[],
      ${plainArrayLiteral(former.map(({ repositoryId }) => repositoryId))}::uuid[],
      ${plainArrayLiteral(former.map(({ number }) => number))}::int[], ${arrayLiteral(former.map(({ url }) => url))}::text[])
      AS r (organization_id, repository_id, number, url)
    ON CONFLICT DO NOTHING`;
}
