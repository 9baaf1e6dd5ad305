import { type Encryption, encryptionOf, faultOfEncryption } from './sockets/encryption.ts';

/** The parsed parameters of a URL. */
export interface UrlParameters {
  /** A pooler is in between that assigns a server connection per transaction, like PgBouncer in transaction mode. */
  readonly isPooled: boolean;
  /** The folder of a unix socket, if the `host` parameter names one. */
  readonly folder: string | undefined;
  readonly port: string | undefined;
  readonly encryption: Encryption | undefined;
  /** The session settings: all parameters that no client knows. PostgreSQL refuses unknown ones. */
  readonly settings: Readonly<Record<string, string>>;
  /** Session settings in libpq's format; they are applied last. */
  readonly options: string | undefined;
}

const understood = new Set([
  'host',
  'port',
  'options',
  'pooling',
  'target_session_attrs',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
]);

const before = 'it belongs before the parameters, as in postgres://user:password@host:5432/database';
const ownNames = 'Postil names its connections itself';
const watched = 'Postil notices by itself that a server is gone';
const onlyTls = 'connections are encrypted with TLS or not at all';
const noFiles = 'files of libpq are not read';
const tlsVersion = 'TLS is always version 1.2 or newer';
const noCrl = 'it is not checked whether a certificate was revoked';
const wayToSignIn = 'only passwords and certificates are supported';
const protocol = 'the protocol is always version 3.0';

/** libpq's parameters that are not supported, with the reason. They would otherwise be sent to the server or ignored. */
const unsupported: Readonly<Record<string, string>> = {
  user: before,
  password: before,
  dbname: before,
  hostaddr: 'give the address as the host',
  passfile: noFiles,
  service: noFiles,
  servicefile: noFiles,
  application_name: ownNames,
  fallback_application_name: ownNames,
  client_encoding: 'it is always UTF8',
  connect_timeout: 'a host is given up after 5 seconds',
  keepalives: watched,
  keepalives_idle: watched,
  keepalives_interval: watched,
  keepalives_count: watched,
  tcp_user_timeout: watched,
  load_balance_hosts: 'a node writes to the primary; name replicas in DATABASE_REPLICA_URL',
  replication: 'it is only for replication connections',
  ssl: 'use sslmode instead',
  requiressl: 'use sslmode instead',
  sslcompression: 'nothing is compressed',
  sslpassword: 'the key in sslkey must have no password',
  sslcertmode: 'a certificate is sent if sslcert names one',
  sslcrl: noCrl,
  sslcrldir: noCrl,
  sslsni: 'the name of the host is always sent',
  sslkeylogfile: 'keys of connections are never written to a file',
  ssl_min_protocol_version: tlsVersion,
  ssl_max_protocol_version: tlsVersion,
  min_protocol_version: protocol,
  max_protocol_version: protocol,
  channel_binding: 'sslmode=verify-full makes sure that the server is the right one',
  gssencmode: onlyTls,
  gssdelegation: onlyTls,
  gsslib: onlyTls,
  krbsrvname: onlyTls,
  requirepeer: wayToSignIn,
  require_auth: wayToSignIn,
  scram_client_key: wayToSignIn,
  scram_server_key: wayToSignIn,
  oauth_issuer: wayToSignIn,
  oauth_client_id: wayToSignIn,
  oauth_client_secret: wayToSignIn,
  oauth_scope: wayToSignIn,
};

/** The values of libpq's `target_session_attrs` that make sense for a connection that writes. */
const writingModes = new Set(['read-write', 'primary']);

export function readParameters(query: string): UrlParameters {
  const parameters = new URLSearchParams(query);
  const folder = parameters.get('host') ?? undefined;
  return {
    isPooled: parameters.has('pooling'),
    folder,
    port: parameters.get('port') ?? undefined,
    encryption: encryptionOf(parameters),
    settings: Object.fromEntries([...parameters].filter(([name]) => !understood.has(name))),
    options: parameters.get('options') ?? undefined,
  };
}

/**
 * What is wrong with the parameters of a URL; undefined if nothing is. The text contains none of their values except file
 * names.
 */
export function faultOfParameters(query: string, isReplica: boolean): string | undefined {
  const parameters = new URLSearchParams(query);
  const names = [...parameters.keys()];
  if (!names.every((name) => /^[a-z_][\w.]*$/i.test(name)))
    return 'must have parameters as in ?sslmode=require&statement_timeout=60000; a ? in a password is written as %3F';
  const refused = names.find((name) => Object.hasOwn(unsupported, name));
  if (refused !== undefined) return `${refused} is not supported: ${unsupported[refused]}`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `${twice} is given twice`;
  const mode = parameters.get('target_session_attrs');
  if (mode !== null && !isReplica && !writingModes.has(mode))
    return 'must have read-write or primary as its target_session_attrs';
  const pooling = parameters.get('pooling');
  if (pooling !== null && pooling !== 'transaction') return 'must have transaction as its pooling';
  const folder = parameters.get('host');
  if (folder !== null && !folder.startsWith('/'))
    return 'host can only be the folder of a socket; any other host belongs before the parameters';
  if (folder === null && parameters.has('port')) return 'port belongs to the host, as in host:5432';
  return faultOfEncryption(parameters);
}
