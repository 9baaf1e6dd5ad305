import type { ConnectionTarget } from '../../db/database.ts';
import type { InHand } from '../../lib/concurrency/in-hand.ts';

export interface WatchdogLimits {
  /** How often the process gives a sign of life, and how often the thread looks for one. */
  readonly tickMs: number;
  /** How many looks in vain end the process. */
  readonly silentTicks: number;
  /** How many looks a stop may take. */
  readonly stopTicks: number;
}

/** Long requests have 25 seconds to end, the queue three, and PostgreSQL needs a moment, too. */
export const defaultLimits: WatchdogLimits = { tickMs: 1_000, silentTicks: 15, stopTicks: 45 };

/** What the thread needs to know. */
export interface WatchdogData {
  readonly target: ConnectionTarget;
  readonly node: string;
  readonly limits: WatchdogLimits;
}

/** A sign of life. */
export interface Beat {
  readonly inHand: readonly InHand[];
  readonly isDebugged: boolean;
  readonly isStopping: boolean;
}

/** What the code that runs belongs to, and where it is. */
export interface Running {
  readonly running: InHand | null;
  readonly stack: readonly string[];
}

/** The name under which the thread finds the function of the process that says so. */
export const whatIsRunning = 'postilWhatIsRunning';
