import { type Encryption, missingEncryption } from './sockets/encryption.ts';
import { faultOfParameters, readParameters } from './url-parameters.ts';

/** A PostgreSQL server in the network. */
export interface Host {
  readonly host: string;
  readonly port: number;
}

/** What a URL says: the one place from which all clients know how to connect. */
export interface DatabaseUrl {
  /** Those that it names, in its order. A URL that names the folder of a socket has one, which is not used. */
  readonly hosts: readonly Host[];
  /** The folder of a socket, which has a port in its name. */
  readonly socket: { readonly folder: string; readonly port: number } | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  /** Something in between gives each transaction the connection of its own choice, as PgBouncer in transaction mode does. */
  readonly isPooled: boolean;
  /** Never of a socket: it is on this machine. */
  readonly encryption: Encryption | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly options: string | undefined;
  /** The URL of one of the hosts. */
  ofHost(host: Host): string;
}

const parts =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:/?#]*)(?::(?<password>[^/?#]*))?@)?(?<hosts>[^@/?#]*)(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/i;
const defaultPort = 5432;

function readHost(text: string): Host {
  const [, bracketed, plain = '', port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  return { host: bracketed ?? (plain || 'localhost'), port: Number(port ?? defaultPort) };
}

/** A host as a URL has it; it says nothing that is secret. */
export function nameOf({ host, port }: Host): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const decoded = (text: string | undefined) => (text ? decodeURIComponent(text) : undefined);

/** Reads a URL that is known to be one. */
export function readDatabaseUrl(url: string): DatabaseUrl {
  const { user, password, hosts = '', database, query = '' } = parts.exec(url)?.groups ?? {};
  const { folder, port, encryption, ...said } = readParameters(query);
  const read = hosts.split(',').map((text) => (/^%2F/i.test(text) ? undefined : readHost(text)));
  const [, encodedFolder, socketPort] = /^(%2F[^:]*)(?::(\d+))?$/i.exec(hosts) ?? [];
  const socketFolder = folder ?? decoded(encodedFolder);
  const socket =
    socketFolder === undefined
      ? undefined
      : { folder: socketFolder, port: Number(socketPort ?? port ?? defaultPort) };
  return {
    ...said,
    hosts: read.map((host) => host ?? { host: 'localhost', port: defaultPort }),
    socket,
    user: decoded(user),
    password: decoded(password),
    database: decoded(database),
    encryption: socket === undefined ? encryption : undefined,
    ofHost: (host) => url.replace(/^(\w+:\/\/(?:[^/?#]*@)?)[^@/?#]*/, (_, start) => start + nameOf(host)),
  };
}

/** What is wrong with a URL, if something is. It never repeats the URL, which may contain a password. */
export function faultOfDatabaseUrl(url: string, isReplica: boolean): string | undefined {
  const { user = '', password = '', hosts = '', database = '', query = '' } = parts.exec(url)?.groups ?? {};
  if (hosts.includes(',') && hosts.split(',').some((host) => host === '' || /%2F/i.test(host)))
    return 'must be a postgres:// URL: several hosts are separated by commas, and none of them is a socket';
  const isWhole = hosts.split(',').every((host) => host === '' || URL.canParse(`postgres://${host}`));
  if (!parts.test(url) || !isWhole) return 'must be a postgres:// URL';
  try {
    decodeURIComponent([user, password, hosts, database].join(' '));
  } catch {
    return 'must be a postgres:// URL in which % is written as %25';
  }
  return faultOfParameters(query, isReplica);
}

/** The URL with what it does not say itself about encryption. */
export function urlWithEncryption(
  url: string,
  { mode, authorities }: { readonly mode: string | undefined; readonly authorities: string | undefined },
): string {
  const { query = '' } = parts.exec(url)?.groups ?? {};
  const missing = missingEncryption(query, mode, authorities).toString();
  if (missing === '') return url;
  return `${url}${url.includes('?') ? (query === '' ? '' : '&') : '?'}${missing}`;
}
