/** How long a review may take, unless the operator says otherwise. */
export const defaultMaxSeconds = 600;
/** Of a diff and the contents sent with it. */
export const maxSentBytes = 5 * 1024 * 1024;
/** What an organization may have waiting, so that nobody fills the disk of everybody. */
export const maxWaitingBytes = 256 * 1024 * 1024;
export const maxSentFiles = 5_000;
/** More help nobody, and would make one answer as large as the change. */
export const maxStoredFindings = 1_000;
/** A run that was taken so often without an end is given up; one that is known to have made its nodes hang, even sooner. */
export const maxAttempts = 3;
/** How long a run waits for a host that refuses or cannot be reached. */
export const hostPatienceMs = 6 * 60 * 60_000;
