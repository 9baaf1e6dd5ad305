import type { OrganizationId, PersonId } from '../../lib/ids.ts';
import type { UserFailureCode, UserOutcomes } from './batch-result.ts';

/** An account in an organization, as far as its seat goes. */
export interface SeatAccount {
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly personId: PersonId | null;
  readonly username: string;
  readonly seat: boolean;
}

/** One user of a request, as sent, with the active accounts that are meant. */
export interface SeatClaim {
  readonly identifier: string;
  readonly accounts: readonly SeatAccount[];
}

export interface SeatPlan {
  readonly outcomes: UserOutcomes;
  /** The accounts whose seat changes. */
  readonly changed: readonly SeatAccount[];
}

export interface FreeSeats {
  readonly free: number;
  /** Who holds a seat already, by `seatHolder`. */
  readonly holders: ReadonlySet<string>;
}

/** Who uses up one seat: a person with all their accounts, or an account that belongs to no person. */
export function seatHolder({ personId, organizationId, userId }: SeatAccount): string {
  return personId ?? `${organizationId}/${userId}`;
}

/** Gives seats in the order of the request while any is free; whoever holds one already needs no other. */
export function planAssignment(claims: readonly SeatClaim[], { free, holders }: FreeSeats): SeatPlan {
  const outcomes = new Map<string, UserFailureCode | null>();
  const changed = new Set<SeatAccount>();
  const seated = new Set(holders);
  let left = free;
  for (const { identifier, accounts } of claims) {
    const [first] = accounts;
    if (first === undefined) {
      outcomes.set(identifier, 'USER_NOT_FOUND');
      continue;
    }
    const holder = seatHolder(first);
    if (!seated.has(holder)) {
      if (left <= 0) {
        outcomes.set(identifier, 'NO_SEATS_AVAILABLE');
        continue;
      }
      left -= 1;
      seated.add(holder);
    }
    for (const account of accounts) if (!account.seat) changed.add(account);
    outcomes.set(identifier, null);
  }
  return { outcomes, changed: [...changed] };
}

/** Takes the seats of everybody named. */
export function planUnassignment(claims: readonly SeatClaim[]): SeatPlan {
  const outcomes = claims.map(
    ({ identifier, accounts }) => [identifier, accounts.length === 0 ? 'USER_NOT_FOUND' : null] as const,
  );
  const changed = new Set(claims.flatMap(({ accounts }) => accounts.filter(({ seat }) => seat)));
  return { outcomes: new Map(outcomes), changed: [...changed] };
}
