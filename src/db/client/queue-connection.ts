import net from 'node:net';
import tls from 'node:tls';
import { type DatabaseUrl, readDatabaseUrl } from '../driver/database-url.ts';
import { servingHostOf } from '../driver/open-client.ts';
import type { ServingHost } from '../driver/serving-host.ts';
import { defaultTimeouts, sessionOptions } from '../driver/session-settings.ts';
import type { ConnectionTarget } from '../driver/sql.ts';
import { StandbyRefused } from '../driver/unavailable.ts';

/** How the queue's own client reaches the same database. */
export interface WorkConnection {
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly database?: string;
  readonly password?: string;
  /** The settings of the session; none if a pooler is in between, which would refuse them. */
  readonly options: string;
  readonly ssl?: false | tls.ConnectionOptions;
  /** Makes the socket of a new connection. */
  readonly stream?: () => net.Socket;
  /** Run on each new connection before it is used. */
  readonly verify?: typeof refuseStandby;
  /** How long a statement, and a connection, may take before they are given up: longer than the server itself would let them. */
  readonly query_timeout: number;
  readonly connectionTimeoutMillis: number;
}

/** A server that hangs without dying would else hold up the queue for as long as it hangs. */
const limits = { query_timeout: 60_000, connectionTimeoutMillis: 30_000 };

/**
 * The options for the `pg` client. TLS modes mean the same as for the server's own connections: `require`, `prefer` and
 * `allow` encrypt without verifying the certificate; `verify-ca` and `verify-full` verify it.
 */
export function workConnection(target: ConnectionTarget): WorkConnection {
  if (!('url' in target)) {
    const { socketDirectory, port, user, database, password = 'none' } = target;
    const options = sessionOptions(defaultTimeouts, '');
    return { host: socketDirectory, port, user, database, password, options, ...limits };
  }
  const named = readDatabaseUrl(target.url);
  const [address = '', query = ''] = named.plain.split('?', 2);
  const parameters = new URLSearchParams(query);
  const mode = parameters.get('sslmode') ?? parameters.get('ssl');
  parameters.delete('sslmode');
  parameters.delete('ssl');
  parameters.delete('options');
  const folder = parameters.get('host') ?? '';
  const isSocket = folder.startsWith('/') || /@?%2F/i.test(address);
  const isPlain = isSocket || mode === null || mode === 'disable' || mode === 'false';
  const connectionString = parameters.size === 0 ? address : `${address}?${parameters}`;
  const serving = servingHostOf(target);
  return {
    connectionString,
    options: named.isPooled ? '' : sessionOptions(defaultTimeouts, target.url),
    ssl: isPlain ? false : encryption(named, mode?.startsWith('verify') ?? false),
    ...(serving !== undefined && { stream: () => new ServingSocket(serving) }),
    verify: refuseStandby,
    ...limits,
  };
}

function encryption({ hosts }: DatabaseUrl, isVerified: boolean): tls.ConnectionOptions {
  if (!isVerified || hosts.length === 1) return { rejectUnauthorized: isVerified };
  return {
    rejectUnauthorized: true,
    // The client knows the first host only, and the socket the one it went to. Node calls this as a method of its options.
    checkServerIdentity(this: { readonly socket: ServingSocket }, _, certificate) {
      return tls.checkServerIdentity(this.socket.servedBy ?? '', certificate);
    },
  };
}

/** Connects to the host that serves, whatever it is told. */
class ServingSocket extends net.Socket {
  /** The name of that host, once it is known. */
  servedBy: string | undefined;
  readonly #serving: ServingHost;

  constructor(serving: ServingHost) {
    super();
    this.#serving = serving;
  }

  override connect(): this {
    this.#serving.find().then(
      (at) => {
        this.servedBy = at.host;
        this.#serving.keep(at, this);
        this.once('close', () => this.#serving.forget(at));
        super.connect(at.port, at.host);
      },
      (error: Error) => this.destroy(error),
    );
    return this;
  }
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
