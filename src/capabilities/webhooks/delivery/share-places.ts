import type { OrganizationId } from '../../../lib/ids.ts';

/** The share of the remaining places that an organization may have. */
const share = 1 / 2;

/**
 * Assigns free places to deliveries, in the given order. An organization may have only a share of the places that remain,
 * which gets smaller as they fill up: so organizations whose receivers do not answer never take the last places from the
 * others.
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
