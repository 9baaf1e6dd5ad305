import type { Connection } from '../connection-record.ts';
import type { HostPullRequest } from '../hosts/host.ts';
import type { PullRequestExtras } from './pull-request-event.ts';
import type { ConnectedRepository } from './read-store.ts';

/** A pull request as it was just read, because its host reported a change or a sweep came by. */
export interface PullRequestReading {
  readonly connection: Connection;
  readonly repository: ConnectedRepository;
  readonly pull: HostPullRequest;
  /** When the host was asked: of two readings, the one with the later time is newer. */
  readonly readAt: Date;
}

/** How another capability follows the pull requests that connections read. Connections do not depend on that capability. */
export interface PullRequestListener {
  /** Called after every reading except a backfill's, and again if it throws; so it must be idempotent. */
  onRead(reading: PullRequestReading): Promise<void>;
  /** What it knows about a pull request, to be reported with it; null if nothing. */
  describe(repository: ConnectedRepository, number: number): Promise<PullRequestExtras | null>;
}
