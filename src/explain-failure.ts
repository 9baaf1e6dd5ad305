import { type UnavailableReason, unavailableReason } from './db/database.ts';
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
  EADDRNOTAVAIL: 'The address of POSTIL_HOST is not one of this machine',
  ENOTFOUND: 'The name in POSTIL_HOST or DATABASE_URL is not known',
  '28000': 'The database refused the user of DATABASE_URL',
  '28P01': 'The database refused the password of DATABASE_URL',
  '3D000': 'The database of DATABASE_URL does not exist; create it first',
  '3F000': 'The database has no schema public; create it, or name another with search_path in DATABASE_URL',
  '42501': 'The user of DATABASE_URL may not create tables in the database; grant it the schema',
};

const unavailable: Record<UnavailableReason, string> = {
  unreachable: 'The database cannot be reached; check DATABASE_URL',
  busy: 'The database is busy: something holds a lock or a connection that is needed; try again later',
  overloaded: 'The database has no connections or memory left; give it more, or try again later',
  full: 'The disk of the database is full',
  read_only: 'The database accepts no changes: is it a standby, or was writing stopped?',
};

/** Says in one sentence why the process cannot go on; an unforeseen error keeps its trace, for a bug report. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return `Postil failed: ${String(error)}`;
  if (ownErrors.has(error.name)) return error.message;
  const code = 'code' in error ? String(error.code) : '';
  if (sentences[code] !== undefined) return sentences[code];
  if (code === 'EADDRINUSE')
    return `Port ${'port' in error ? error.port : ''} is in use already; choose another with POSTIL_PORT`;
  const fileReason = FILE_SYSTEM_REASONS[code];
  if (fileReason !== undefined && 'path' in error)
    return `${String(error.path)} cannot be used: ${fileReason}`;
  const reason = unavailableReason(error);
  if (reason !== undefined) return unavailable[reason];
  return `Postil failed: ${error.stack ?? error.message}`;
}
