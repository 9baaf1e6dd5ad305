/** Why a change failed for one user of a batch. */
export type UserFailureCode =
  | 'USER_NOT_FOUND'
  | 'NO_SEATS_AVAILABLE'
  | 'BILLING_ADMIN_PROTECTED'
  | 'LAST_ADMIN';

const messages: Record<UserFailureCode, string> = {
  USER_NOT_FOUND: 'There is no such active user',
  NO_SEATS_AVAILABLE: 'Every purchased seat is assigned',
  BILLING_ADMIN_PROTECTED: 'The role of a billing admin is not changed here',
  LAST_ADMIN: 'The organization would be left without an admin',
};

export interface UserFailure {
  readonly user_id: string;
  readonly code: UserFailureCode;
  readonly message: string;
  /** Where it failed, when several organizations were meant. */
  readonly organizations?: readonly { readonly org_id: string; readonly code: UserFailureCode }[];
}

export interface BatchResult {
  readonly status: 'success' | 'partial_success' | 'failure';
  readonly succeeded: readonly string[];
  readonly failed: readonly UserFailure[];
}

/** What became of each user as sent, in the order of the request; null is success. */
export type UserOutcomes = ReadonlyMap<string, UserFailureCode | null>;

/** Tells why a user failed, in the words of the API. */
export function userFailure(userId: string, code: UserFailureCode): UserFailure {
  return { user_id: userId, code, message: messages[code] };
}

/** Sums up a batch: success when none failed, failure when all did. */
export function batchResult(succeeded: readonly string[], failed: readonly UserFailure[]): BatchResult {
  const status = failed.length === 0 ? 'success' : succeeded.length === 0 ? 'failure' : 'partial_success';
  return { status, succeeded, failed };
}

/** Sums up the outcomes of one organization or workspace. */
export function resultOf(outcomes: UserOutcomes): BatchResult {
  const entries = [...outcomes];
  return batchResult(
    entries.filter(([, code]) => code === null).map(([userId]) => userId),
    entries.flatMap(([userId, code]) => (code === null ? [] : [userFailure(userId, code)])),
  );
}
