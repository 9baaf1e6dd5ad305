import type { CallerContext } from '../../access/caller-context.ts';
import { compareBytes } from '../../lib/compare-bytes.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import { type NamePosition, positionByName } from './store.ts';

function isAfter(row: NamePosition, { name, id }: NamePosition): boolean {
  const order = compareBytes(row.name, name);
  return order > 0 || (order === 0 && row.id > id);
}

/** Lists the active organizations that the caller can see, by name. The scope was read for this request, in this order. */
export function listOrganizations(
  { scope }: CallerContext,
  { after, limit }: { after: NamePosition | undefined; limit: number },
) {
  const found = scope.organizations
    .filter(({ organization }) => after === undefined || isAfter(organization, after))
    .slice(0, limit + 1)
    .map(({ organization: { id, name, provider, providerOrgId } }) => ({
      id,
      name,
      provider,
      provider_organization_id: providerOrgId,
    }));
  const { rows, next } = cutPage(found, limit, positionByName);
  return { organizations: rows, next };
}
