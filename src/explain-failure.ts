import { isUnavailable } from './db/database.ts';

const ownErrors = new Set([
  'SettingsError',
  'DataFolderError',
  'EmbeddedPostgresError',
  'ClusterBusy',
  'SchemaError',
  'BackupError',
  'CommandError',
]);

/** Says in one sentence why the process cannot go on; an unforeseen error keeps its trace, for a bug report. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return `Postil failed: ${String(error)}`;
  if (ownErrors.has(error.name)) return error.message;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'The port is in use already; choose another with POSTIL_PORT';
  if (code === 'EADDRNOTAVAIL') return 'The address of POSTIL_HOST is not one of this machine';
  if (code === 'EACCES' && 'path' in error) return `No permission for ${String(error.path)}`;
  if (isUnavailable(error)) return 'The database cannot be reached; check DATABASE_URL';
  return `Postil failed: ${error.stack ?? error.message}`;
}
