import type { OrganizationId } from '../../../lib/ids.ts';

/** An organization may have this part of the places that are left. */
const share = 1 / 2;

/**
 * Gives the free places to deliveries, in the given order. The more places an organization has, the fewer are left, of which it may
 * have only a part: so one whose receivers do not answer, or several of them, never take the last place from the others.
 */
export function sharePlaces<Delivery extends { readonly organizationId: OrganizationId }>(
  due: readonly Delivery[],
  free: number,
  taken: ReadonlyMap<OrganizationId, number>,
): Delivery[] {
  const counts = new Map(taken);
  const placed: Delivery[] = [];
  for (const delivery of due) {
    const left = free - placed.length;
    if (left === 0) break;
    const count = counts.get(delivery.organizationId) ?? 0;
    if (count > 0 && count >= left * share) continue;
    counts.set(delivery.organizationId, count + 1);
    placed.push(delivery);
  }
  return placed;
}
