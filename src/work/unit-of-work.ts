/** What one attempt at a unit of work is given besides its data. */
export interface Attempt {
  /** Aborted when the attempt takes longer than allowed, or the server stops. */
  readonly signal: AbortSignal;
  /** 1 for the first. */
  readonly number: number;
  readonly isLast: boolean;
}

/**
 * A kind of work that is kept in the database until it is done: run by any node, retried with growing pauses, and run
 * again after a crash. So it may run twice, and must be written to be harmless when it does.
 */
export interface UnitOfWork<Data extends object> {
  readonly name: string;
  /** How many run at once on a node. */
  readonly atOnce: number;
  /** How many of one group (such as a connection) run at once, so that a slow one leaves room for the others. */
  readonly atOncePerGroup?: number;
  readonly maxSeconds: number;
  readonly retries: {
    readonly count: number;
    readonly firstPauseSeconds: number;
    readonly maxPauseSeconds: number;
  };
  run(data: Data, attempt: Attempt): Promise<void>;
  /** Called when the last attempt has failed. */
  onGivenUp?(data: Data, error: unknown): Promise<void>;
}

/** Throw it to give a unit up at once, because trying again cannot help. */
export class NonRetryable extends Error {
  override readonly name = 'NonRetryable';
}

/** Throw it to be run again not before so many seconds, such as when a host says when it will answer again. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly afterSeconds: number;

  constructor(message: string, afterSeconds: number, options?: ErrorOptions) {
    super(message, options);
    this.afterSeconds = afterSeconds;
  }
}
