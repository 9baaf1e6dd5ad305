import { defaultTimeouts, sessionOptions } from '../driver/session-settings.ts';
import type { ConnectionTarget } from '../driver/sql.ts';

/** How the queue's own client reaches the same database. */
export interface WorkConnection {
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly database?: string;
  readonly password?: string;
  /** The settings of the session. */
  readonly options: string;
  readonly ssl?: false | { readonly rejectUnauthorized: boolean };
}

/**
 * The options for the `pg` client. TLS modes mean the same as for the server's own connections: `require`, `prefer` and
 * `allow` encrypt without verifying the certificate; `verify-ca` and `verify-full` verify it.
 */
export function workConnection(target: ConnectionTarget): WorkConnection {
  if (!('url' in target)) {
    const { socketDirectory, port, user, database, password = 'none' } = target;
    const options = sessionOptions(defaultTimeouts, '');
    return { host: socketDirectory, port, user, database, password, options };
  }
  const [address = '', query = ''] = target.url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const mode = parameters.get('sslmode') ?? parameters.get('ssl');
  parameters.delete('sslmode');
  parameters.delete('ssl');
  parameters.delete('options');
  const folder = parameters.get('host') ?? '';
  const isSocket = folder.startsWith('/') || /@?%2F/i.test(address);
  const isPlain = isSocket || mode === null || mode === 'disable' || mode === 'false';
  const connectionString = parameters.size === 0 ? address : `${address}?${parameters}`;
  return {
    connectionString,
    options: sessionOptions(defaultTimeouts, target.url),
    ssl: isPlain ? false : { rejectUnauthorized: mode?.startsWith('verify') ?? false },
  };
}
