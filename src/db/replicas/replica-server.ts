import type { Database, Db } from '../database.ts';

/**
 * A position in PostgreSQL's write-ahead log. Commits appear in the log in the order in which they become visible, on the
 * primary and on every replica: a server that has replayed the log up to a position sees everything committed before it.
 */
export type LogPosition = bigint;

/** What a replica says about itself. */
export interface ReplicaState {
  /** False after a promotion, and for a server that never was a replica. */
  readonly isStandby: boolean;
  /** Identifies the database that it is a copy of. */
  readonly identity: string;
  readonly replayed: LogPosition;
}

/** A replica, or a server that was one. */
export interface ReplicaServer {
  readonly database: Database;
  inspect(): Promise<ReplicaState>;
  /**
   * A position that includes everything that a completed read can have seen. Undefined if the server was promoted: the read
   * may have seen changes that are not in the log of the primary.
   */
  positionAfterRead(): Promise<LogPosition | undefined>;
}

// Copies share the system identifier, and the number of each database.
const identityColumn = (db: Db) => db`
  (SELECT system_identifier FROM pg_control_system())::text || '/' ||
  (SELECT oid FROM pg_database WHERE datname = current_database())::text || '/' || current_schema() AS identity`;

/** Identifies the database; the same on the primary and on its replicas. */
export async function readIdentity(db: Db): Promise<string> {
  const [row] = await db<{ identity: string }[]>`SELECT ${identityColumn(db)}`;
  return row!.identity;
}

/** A position of the primary that includes everything committed before the call. */
export async function readPrimaryPosition(db: Db): Promise<LogPosition> {
  const [row] = await db<{ position: string }[]>`
    SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text AS position`;
  return BigInt(row!.position);
}

/** The replica behind a connection. */
export function replicaServer(database: Database): ReplicaServer {
  const { sql } = database;
  return {
    database,
    async inspect() {
      const [row] = await sql<{ isStandby: boolean; identity: string; replayed: string | null }[]>`
        SELECT pg_is_in_recovery() AS "isStandby", ${identityColumn(sql)},
          (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text AS replayed`;
      const { isStandby, identity, replayed } = row!;
      return { isStandby, identity, replayed: BigInt(replayed ?? 0) };
    },
    async positionAfterRead() {
      // A commit becomes visible a moment before it counts as replayed, but never before it was received. A replica that reads
      // archived files has no received position; there, at most one record can be in progress, so one byte is added.
      const [row] = await sql<{ isStandby: boolean; position: string }[]>`
        SELECT pg_is_in_recovery() AS "isStandby",
          coalesce(CASE WHEN received >= replayed THEN received - '0/0'::pg_lsn END,
            replayed - '0/0'::pg_lsn + 1, 0)::text AS position
        FROM (SELECT pg_last_wal_receive_lsn() AS received, pg_last_wal_replay_lsn() AS replayed) AS log`;
      const { isStandby, position } = row!;
      return isStandby ? BigInt(position) : undefined;
    },
  };
}
