import { type Encryption, missingEncryption } from './sockets/encryption.ts';
import { faultOfParameters, readParameters } from './url-parameters.ts';

/** A PostgreSQL server on the network. */
export interface Host {
  readonly host: string;
  readonly port: number;
}

/** A parsed URL: the only source of connection settings for all clients. */
export interface DatabaseUrl {
  /** The hosts, in the order of the URL. A URL of a socket's folder has one host, which is not used. */
  readonly hosts: readonly Host[];
  /** The folder of a unix socket. The port is part of the socket's file name. */
  readonly socket: { readonly folder: string; readonly port: number } | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  /** A pooler is in between that assigns a server connection per transaction, like PgBouncer in transaction mode. */
  readonly isPooled: boolean;
  /** Never set for a unix socket, which is on this machine. */
  readonly encryption: Encryption | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly options: string | undefined;
  /** The same URL, with only this host. */
  ofHost(host: Host): string;
}

const parts =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:/?#]*)(?::(?<password>[^/?#]*))?@)?(?<hosts>[^@/?#]*)(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/i;
const defaultPort = 5432;

function readHost(text: string): Host {
  const [, bracketed, plain = '', port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  return { host: bracketed ?? (plain || 'localhost'), port: Number(port ?? defaultPort) };
}

/** A host as written in a URL; contains no secret. */
export function nameOf({ host, port }: Host): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const decoded = (text: string | undefined) => (text ? decodeURIComponent(text) : undefined);

/** Parses a URL that is known to be valid. */
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

/** What is wrong with a URL; undefined if nothing is. The text never contains the URL, which may have a password in it. */
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

/** Adds default encryption parameters to a URL that does not set them itself. */
export function urlWithEncryption(
  url: string,
  { mode, authorities }: { readonly mode: string | undefined; readonly authorities: string | undefined },
): string {
  const { query = '' } = parts.exec(url)?.groups ?? {};
  const missing = missingEncryption(query, mode, authorities).toString();
  if (missing === '') return url;
  return `${url}${url.includes('?') ? (query === '' ? '' : '&') : '?'}${missing}`;
}
