import { StandbyRefused, TlsNotOffered, type UnavailableReason, unavailableReason } from './db/database.ts';
import { FILE_SYSTEM_REASONS } from './db/embedded/usable-folder.ts';

const ownErrors = new Set([
  'SettingsError',
  'DataFolderError',
  'EmbeddedPostgresError',
  'ClusterBusy',
  'SchemaError',
  'BackupError',
  'CommandError',
]);

const sentences: Record<string, string> = {
  EADDRNOTAVAIL: 'POSTIL_HOST is not an address of this machine',
  ENOTFOUND: 'The host name in POSTIL_HOST or DATABASE_URL cannot be resolved',
  '28000': 'The database rejected the user of DATABASE_URL',
  '28P01': 'The database rejected the password of DATABASE_URL',
  '3D000': 'The database in DATABASE_URL does not exist; create it first',
  '3F000': 'The database has no schema public; create it, or name another with search_path in DATABASE_URL',
  '42501': 'The user of DATABASE_URL may not create tables in the database; grant it the schema',
};

/** Node's error codes for a certificate that no trusted authority has signed. */
const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Explains a failure of the encryption that DATABASE_URL requires; undefined if the error has another cause. */
function encryptionFault(error: Error): string | undefined {
  return findCause(error, (cause) => {
    const code = 'code' in cause ? String(cause.code) : '';
    if (cause instanceof TlsNotOffered)
      return `The database of DATABASE_URL cannot be used: ${cause.message}`;
    if (untrusted.has(code))
      return `The certificate of the database is not trusted (${cause.message}); name the file with its CA as sslrootcert in DATABASE_URL`;
    if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
      return `The certificate of the database is for another host than DATABASE_URL names: ${cause.message}`;
    if (/^CERT_[A-Z_]+$/.test(code)) return `The certificate of the database is not valid: ${cause.message}`;
    return undefined;
  });
}

/** PostgreSQL's error codes for an unknown setting, and for an invalid value of one. */
const refusedSetting = new Set(['42704', '22023']);

const unavailable: Record<UnavailableReason, string> = {
  unreachable: 'The database cannot be reached; check DATABASE_URL',
  busy: 'The database is busy: a required lock or connection is in use; try again later',
  overloaded: 'The database is out of connections or memory; give it more, or try again later',
  full: 'The disk of the database is full',
  read_only: 'The database is read-only: is it a standby, or were writes stopped?',
};

function findCause<T>(error: unknown, look: (cause: Error) => T | undefined): T | undefined {
  if (!(error instanceof Error)) return undefined;
  return look(error) ?? findCause(error.cause, look);
}

/** Explains why a connection with these settings fails; undefined if the error has another cause. */
export function explainConnection(error: Error): string | undefined {
  return refusedByPooler(error) ?? encryptionFault(error);
}

function refusedByPooler(error: Error): string | undefined {
  const setting = findCause(
    error,
    ({ message }) => /^unsupported startup parameter: (\S+)/.exec(message)?.[1],
  );
  if (setting === undefined) return undefined;
  return `A pooler refuses the setting ${setting}: add pooling=transaction to the parameters of DATABASE_URL, and set others for the role (docs/scaling.md, "Failover")`;
}

/** Explains in one sentence why the process cannot continue; an unexpected error keeps its stack trace, for a bug report. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return `Postil failed: ${String(error)}`;
  if (ownErrors.has(error.name)) return error.message;
  const code = 'code' in error ? String(error.code) : '';
  if (sentences[code] !== undefined) return sentences[code];
  if (code === 'EADDRINUSE')
    return `Port ${'port' in error ? error.port : ''} is already in use; choose another with POSTIL_PORT`;
  const fileReason = FILE_SYSTEM_REASONS[code];
  if (fileReason !== undefined && 'path' in error)
    return `${String(error.path)} cannot be used: ${fileReason}`;
  const refused = explainConnection(error);
  if (refused !== undefined) return refused;
  // These errors are fatal only while a connection is opened.
  if (refusedSetting.has(code) && 'severity' in error && error.severity === 'FATAL')
    return `PostgreSQL refuses a parameter of DATABASE_URL: ${error.message}`;
  if (findCause(error, (cause) => (cause instanceof StandbyRefused ? true : undefined)))
    return 'The database in DATABASE_URL is a standby; name its primary, or all hosts separated by commas';
  const reason = unavailableReason(error);
  if (reason !== undefined) return unavailable[reason];
  return `Postil failed: ${error.stack ?? error.message}`;
}
