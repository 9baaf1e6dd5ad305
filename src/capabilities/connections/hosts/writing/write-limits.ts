/** How many texts an account may write at a kind of host. */
export interface WriteLimits {
  readonly perMinute: number;
  readonly perHour: number;
}

/**
 * The rate limit on an account's writes. `spend` waits briefly for the next write, or throws HostUnavailable with the time
 * after which it is allowed.
 */
export interface WriteBudget {
  spend(): Promise<void>;
}

/** For hosts without a limit on writes, and for clients that only ask the host who they are. */
export const unlimitedWrites: WriteBudget = { spend: async () => {} };
