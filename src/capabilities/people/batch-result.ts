/** Why a change failed for one user of a batch. */
export type UserFailureCode =
  | 'USER_NOT_FOUND'
  | 'NO_SEATS_AVAILABLE'
  | 'BILLING_ADMIN_PROTECTED'
  | 'LAST_ADMIN';

const messages: Record<UserFailureCode, string> = {
  USER_NOT_FOUND: 'There is no such active user',
  NO_SEATS_AVAILABLE: 'Every purchased seat is assigned',
  BILLING_ADMIN_PROTECTED: 'The role of a billing admin cannot be changed here',
  LAST_ADMIN: 'The organization would be left without an admin',
};

export interface UserFailure {
  readonly user_id: string;
  readonly code: UserFailureCode;
  readonly message: string;
  /** Where it failed, if the request covered several organizations. */
  readonly organizations?: readonly { readonly org_id: string; readonly code: UserFailureCode }[];
}

export interface BatchResult {
  readonly status: 'success' | 'partial_success' | 'failure';
  readonly succeeded: readonly string[];
  readonly failed: readonly UserFailure[];
}

/** The result for each user identifier as sent, in the order of the request; null means success. */
export type UserOutcomes = ReadonlyMap<string, UserFailureCode | null>;

/** Builds the API's description of a failure for one user. */
export function userFailure(userId: string, code: UserFailureCode): UserFailure {
  return { user_id: userId, code, message: messages[code] };
}

/** Builds the result of a batch: success if none failed, failure if all did. */
export function batchResult(succeeded: readonly string[], failed: readonly UserFailure[]): BatchResult {
  const status = failed.length === 0 ? 'success' : succeeded.length === 0 ? 'failure' : 'partial_success';
  return { status, succeeded, failed };
}

/** Builds the result of a batch from its outcomes in one organization or workspace. */
export function summarizeOutcomes(outcomes: UserOutcomes): BatchResult {
  const entries = [...outcomes];
  return batchResult(
    entries.filter(([, code]) => code === null).map(([userId]) => userId),
    entries.flatMap(([userId, code]) => (code === null ? [] : [userFailure(userId, code)])),
  );
}
