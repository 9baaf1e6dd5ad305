import type { Duplex } from 'node:stream';
import { readDatabaseUrl } from '../driver/database-url.ts';
import { servingHostOf } from '../driver/open-client.ts';
import { defaultTimeouts, sessionOptions } from '../driver/session-settings.ts';
import type { ConnectionTarget } from '../driver/sql.ts';
import { StandbyRefused } from '../driver/unavailable.ts';
import { QueueSocket } from './queue-socket.ts';

/** How the queue's own client connects to the same database. Like libpq, it takes missing values from the environment. */
export interface WorkConnection {
  readonly host: string;
  readonly port: number;
  readonly user?: string;
  readonly database?: string;
  readonly password?: string;
  /** The settings of the session; empty if there is a pooler, which would refuse them. */
  readonly options: string;
  /** Our own socket encrypts the connection, so the client must not. */
  readonly ssl: false;
  readonly sslnegotiation: 'postgres';
  /** Creates the socket of a new connection. */
  readonly stream?: () => Duplex;
  /** Run on each new connection before it is used. */
  readonly verify?: typeof refuseStandby;
  /** Client-side timeouts for a statement and for connecting, longer than those of the server itself. */
  readonly query_timeout: number;
  readonly connectionTimeoutMillis: number;
}

/** Common to all targets. Without timeouts, a server that hangs but stays connected would block the queue. */
const common = {
  ssl: false,
  sslnegotiation: 'postgres',
  query_timeout: 60_000,
  connectionTimeoutMillis: 30_000,
} as const;

/** The options for the `pg` client: same target, session settings and encryption as our other connections. */
export function workConnection(target: ConnectionTarget): WorkConnection {
  if (!('url' in target)) {
    const { socketDirectory, port, user, database, password = 'none' } = target;
    return {
      host: socketDirectory,
      port,
      user,
      database,
      password,
      options: sessionOptions(defaultTimeouts),
      ...common,
    };
  }
  const named = readDatabaseUrl(target.url);
  const { hosts, socket, user, database, password, encryption, isPooled } = named;
  const serving = servingHostOf(target);
  const [{ host, port }] = hosts as [(typeof hosts)[number]];
  return {
    host: socket?.folder ?? host,
    port: socket?.port ?? port,
    ...(user !== undefined && { user }),
    ...(database !== undefined && { database }),
    ...(password !== undefined && { password }),
    options: isPooled ? '' : sessionOptions(defaultTimeouts, named),
    ...((serving ?? encryption) && {
      stream: () => new QueueSocket(serving ?? { find: async () => ({ host, port }) }, encryption),
    }),
    verify: refuseStandby,
    ...common,
  };
}

interface QueueClient {
  query(
    text: string,
    done: (error: Error | null, result?: { rows: { standby: boolean }[] }) => void,
  ): unknown;
}

/**
 * Refuses a standby with an extra query. Our other connections see it in the server's greeting, which this client does not
 * expose.
 */
function refuseStandby(client: QueueClient, done: (error?: Error | null) => void): void {
  client.query('select pg_is_in_recovery() as standby', (error, result) => {
    done(error ?? (result?.rows[0]?.standby ? new StandbyRefused() : undefined));
  });
}
