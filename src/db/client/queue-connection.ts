import type { Duplex } from 'node:stream';
import { readDatabaseUrl } from '../driver/database-url.ts';
import { servingHostOf } from '../driver/open-client.ts';
import { defaultTimeouts, sessionOptions } from '../driver/session-settings.ts';
import type { ConnectionTarget } from '../driver/sql.ts';
import { StandbyRefused } from '../driver/unavailable.ts';
import { QueueSocket } from './queue-socket.ts';

/** How the queue's own client reaches the same database. Whatever is missing it takes from the environment, as libpq does. */
export interface WorkConnection {
  readonly host: string;
  readonly port: number;
  readonly user?: string;
  readonly database?: string;
  readonly password?: string;
  /** The settings of the session; none if a pooler is in between, which would refuse them. */
  readonly options: string;
  /** Encrypted by us, so nothing is left to do for the client. */
  readonly ssl: false;
  readonly sslnegotiation: 'postgres';
  /** Makes the socket of a new connection. */
  readonly stream?: () => Duplex;
  /** Run on each new connection before it is used. */
  readonly verify?: typeof refuseStandby;
  /** How long a statement, and a connection, may take before they are given up: longer than the server itself would let them. */
  readonly query_timeout: number;
  readonly connectionTimeoutMillis: number;
}

/** The same for every target. A server that hangs without dying would else hold up the queue for as long as it hangs. */
const common = {
  ssl: false,
  sslnegotiation: 'postgres',
  query_timeout: 60_000,
  connectionTimeoutMillis: 30_000,
} as const;

/** The options for the `pg` client: it goes to the same place, with the same settings and encrypted in the same way. */
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

/** The server's own connections hear of it when they are greeted; this client does not pass that on. */
function refuseStandby(client: QueueClient, done: (error?: Error | null) => void): void {
  client.query('select pg_is_in_recovery() as standby', (error, result) => {
    done(error ?? (result?.rows[0]?.standby ? new StandbyRefused() : undefined));
  });
}
