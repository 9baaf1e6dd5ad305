import type { OrganizationId, PersonId } from '../../../lib/ids.ts';
import type { UserFailureCode, UserOutcomes } from '../batch-result.ts';

/** The part of an organization's account that matters for its seat. */
export interface SeatAccount {
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly personId: PersonId | null;
  readonly username: string;
  readonly seat: boolean;
}

/** One user in a request: the identifier as sent, and the active accounts it refers to. */
export interface SeatRequest {
  readonly identifier: string;
  readonly accounts: readonly SeatAccount[];
}

export interface SeatPlan {
  readonly outcomes: UserOutcomes;
  /** The accounts whose seat has to change. */
  readonly changed: readonly SeatAccount[];
}

export interface FreeSeats {
  readonly free: number;
  /** Who already holds a seat, as returned by `seatHolder`. */
  readonly holders: ReadonlySet<string>;
}

/** Identifies who uses up one seat: a person with all their accounts, or an account that belongs to no person. */
export function seatHolder({ personId, organizationId, userId }: SeatAccount): string {
  return personId ?? `${organizationId}/${userId}`;
}

/** Assigns free seats in the order of the request; whoever already holds a seat does not need another. */
export function planAssignment(requests: readonly SeatRequest[], { free, holders }: FreeSeats): SeatPlan {
  const outcomes = new Map<string, UserFailureCode | null>();
  const changed = new Set<SeatAccount>();
  const seated = new Set(holders);
  let seatsLeft = free;
  for (const { identifier, accounts } of requests) {
    const [first] = accounts;
    if (first === undefined) {
      outcomes.set(identifier, 'USER_NOT_FOUND');
      continue;
    }
    const holder = seatHolder(first);
    if (!seated.has(holder)) {
      if (seatsLeft <= 0) {
        outcomes.set(identifier, 'NO_SEATS_AVAILABLE');
        continue;
      }
      seatsLeft -= 1;
      seated.add(holder);
    }
    for (const account of accounts) if (!account.seat) changed.add(account);
    outcomes.set(identifier, null);
  }
  return { outcomes, changed: [...changed] };
}

/** Takes the seats away from all requested users. */
export function planUnassignment(requests: readonly SeatRequest[]): SeatPlan {
  const outcomes = requests.map(
    ({ identifier, accounts }) => [identifier, accounts.length === 0 ? 'USER_NOT_FOUND' : null] as const,
  );
  const changed = new Set(requests.flatMap(({ accounts }) => accounts.filter(({ seat }) => seat)));
  return { outcomes: new Map(outcomes), changed: [...changed] };
}
