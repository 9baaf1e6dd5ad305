import type { UnitOfWork } from '../../work/unit-of-work.ts';
import type { ConnectionId } from './connection-record.ts';

/** The units of work that read from hosts. */
export interface ConnectionUnits {
  /** Reads one pull request and reports what changed. */
  readonly readPullRequest: UnitOfWork<{ readonly connectionId: ConnectionId; readonly subject: string }>;
  /** Reads organizations, repositories and members. */
  readonly sync: UnitOfWork<{ readonly connectionId: ConnectionId }>;
  /** Looks for pull requests whose deliveries never arrived. */
  readonly sweep: UnitOfWork<{ readonly connectionId: ConnectionId }>;
  /** Reads the pull requests that are open in one repository. */
  readonly readOpen: UnitOfWork<{ readonly connectionId: ConnectionId; readonly repositoryId: string }>;
  /** Reads the pull requests of one repository that ended since a date. */
  readonly backfill: UnitOfWork<{ readonly connectionId: ConnectionId; readonly repositoryId: string }>;
}
