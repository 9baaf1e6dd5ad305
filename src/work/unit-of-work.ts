/** The parameters of one attempt at a unit of work, in addition to its data. */
export interface Attempt {
  /** Aborted if the attempt takes longer than allowed, or the server stops. */
  readonly signal: AbortSignal;
  /** The number of the attempt, starting at 1. */
  readonly number: number;
  readonly isLast: boolean;
  /** The id of its lease: distinguishes what this attempt stores from what a later one stores. */
  readonly lease: string;
}

/**
 * A kind of work that is kept in the database until it is done: run by any node, retried with increasing delays, and run
 * again after a crash. So it may run twice, and must be idempotent.
 */
export interface UnitOfWork<Data extends object> {
  readonly name: string;
  /** The maximum number that run at once on a node. */
  readonly atOnce: number;
  /** The maximum of one group (such as a connection) at once, so that a slow group leaves room for the others. */
  readonly atOncePerGroup?: number;
  readonly maxSeconds: number;
  readonly retries: {
    readonly count: number;
    readonly firstPauseSeconds: number;
    readonly maxPauseSeconds: number;
  };
  /** Units with the same turn, of whatever kind, run one at a time across all nodes. */
  turnOf?(data: Data): string;
  run(data: Data, attempt: Attempt): Promise<void>;
  /** Called when the last attempt has failed. */
  onGivenUp?(data: Data, error: unknown): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: one list contains units with every kind of data.
export type AnyUnit = UnitOfWork<any>;

/** Thrown to give up on a unit immediately, because retrying cannot help. */
export class NonRetryable extends Error {
  override readonly name = 'NonRetryable';
}

/** Thrown to be retried no sooner than after a delay, such as when a host says when to retry. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly afterSeconds: number;

  constructor(message: string, afterSeconds: number, options?: ErrorOptions) {
    super(message, options);
    this.afterSeconds = afterSeconds;
  }
}
