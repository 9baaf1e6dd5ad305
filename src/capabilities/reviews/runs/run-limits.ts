/** How long a review may take, unless the operator says otherwise. */
export const defaultMaxSeconds = 600;
/** The maximum size of a diff and the contents sent with it. */
export const maxSentBytes = 5 * 1024 * 1024;
/** A quota per organization for diffs that wait, so that none of them fills the disk for all. */
export const maxWaitingBytes = 256 * 1024 * 1024;
export const maxSentFiles = 5_000;
/** More findings help nobody, and would make a response as large as the change. */
export const maxStoredFindings = 1_000;
/** A run is given up after this many attempts without a result; the queue gives it up earlier if its nodes hung. */
export const maxAttempts = 3;
/** How long a run is retried while its host refuses or cannot be reached. */
export const hostPatienceMs = 6 * 60 * 60_000;
