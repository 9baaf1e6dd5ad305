/** How many texts an account may write at a kind of host. */
export interface WriteLimits {
  readonly perMinute: number;
  readonly perHour: number;
}

/**
 * What is left of an account's writes. Waits a moment for the next one, or throws HostUnavailable with the time after which
 * there is one again.
 */
export interface WriteBudget {
  spend(): Promise<void>;
}

/** For an account that does nothing but introduce itself. */
export const unlimitedWrites: WriteBudget = { spend: async () => {} };
