import type { ConnectionTarget } from '../../db/database.ts';
import type { InHand } from '../../lib/concurrency/in-hand.ts';

export interface WatchdogLimits {
  /** How often the process sends a heartbeat, and how often the thread checks for one. */
  readonly tickMs: number;
  /** After how many checks without a heartbeat the process is ended. */
  readonly silentTicks: number;
  /** After how many checks a stop has taken too long. */
  readonly stopTicks: number;
}

/** When stopping, long requests get 25 seconds, the queue three, and PostgreSQL needs a moment, too. */
export const defaultLimits: WatchdogLimits = { tickMs: 1_000, silentTicks: 15, stopTicks: 45 };

/** The data that the thread gets at its start. */
export interface WatchdogData {
  readonly target: ConnectionTarget;
  readonly node: string;
  readonly limits: WatchdogLimits;
}

/** A heartbeat of the process, with what it works on. */
export interface Beat {
  readonly inHand: readonly InHand[];
  readonly isDebugged: boolean;
  readonly isStopping: boolean;
}

/** The work that the current code belongs to (null if unknown), and its stack. */
export interface Running {
  readonly running: InHand | null;
  readonly stack: readonly string[];
}

/** The name of the global function by which the thread asks what is running. */
export const whatIsRunning = 'postilWhatIsRunning';
