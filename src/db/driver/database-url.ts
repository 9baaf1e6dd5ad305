/** A PostgreSQL server in the network. */
export interface Host {
  readonly host: string;
  readonly port: number;
}

/** What a URL says beyond what every driver understands. */
export interface DatabaseUrl {
  /** Those that it names, in its order. A URL that names the folder of a socket has one, which is not used. */
  readonly hosts: readonly Host[];
  /** Something in between gives each transaction the connection of its own choice, as PgBouncer in transaction mode does. */
  readonly isPooled: boolean;
  /** The URL of one of the hosts. */
  ofHost(host: Host): string;
  /** The URL of the first host in words that every driver knows. */
  readonly plain: string;
}

const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)((?:\/[^?#]*)?)(?:\?([^#]*))?$/i;
const defaultPort = 5432;
/** What no driver is told: which host is meant is our own affair, and what a pooler is like, too. */
const ownParameters = ['target_session_attrs', 'pooling'];
/** The modes of libpq that can be meant by whoever wants to write. */
const writingModes = new Set(['read-write', 'primary']);

function readHost(text: string): Host {
  const [, bracketed, plain = '', port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  return { host: bracketed ?? (plain || 'localhost'), port: Number(port ?? defaultPort) };
}

/** A host as a URL has it; it says nothing that is secret. */
export function nameOf({ host, port }: Host): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Reads a URL that is known to be one. */
export function readDatabaseUrl(url: string): DatabaseUrl {
  const [, start = '', hosts = '', database = '', query = ''] = parts.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const isPooled = parameters.has('pooling');
  const isOurs = hosts.includes(',') || ownParameters.some((name) => parameters.has(name));
  const [first = '', ...others] = hosts.split(',');
  const withHost = (host: string, rest: URLSearchParams) =>
    `${start}${host}${database}${rest.size === 0 ? '' : `?${rest}`}`;
  const rest = new URLSearchParams(parameters);
  for (const name of ownParameters) rest.delete(name);
  return {
    hosts: [first, ...others].map(readHost),
    isPooled,
    ofHost: (host) => withHost(nameOf(host), parameters),
    // One that says nothing of ours is passed on exactly as it was written.
    plain: isOurs ? withHost(first, rest) : url,
  };
}

/** What is wrong with a URL, if something is. It never repeats the URL, which may contain a password. */
export function faultOfDatabaseUrl(url: string, isReplica: boolean): string | undefined {
  const [, start = '', hosts = '', database = '', query = ''] = parts.exec(url) ?? [];
  if (hosts.includes(',') && hosts.split(',').some((host) => host === '' || /%2F/i.test(host)))
    return 'must be a postgres:// URL: several hosts are separated by commas, and none of them is a socket';
  if (!hosts.split(',').every((host) => URL.canParse(`${start}${host}${database}`)))
    return 'must be a postgres:// URL';
  const parameters = new URLSearchParams(query);
  const mode = parameters.get('target_session_attrs');
  if (mode !== null && !isReplica && !writingModes.has(mode))
    return 'must have read-write or primary as its target_session_attrs';
  const pooling = parameters.get('pooling');
  return pooling === null || pooling === 'transaction' ? undefined : 'must have transaction as its pooling';
}
