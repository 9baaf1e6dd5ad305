/** The embedded PostgreSQL cannot run here; the message is one sentence for the operator. */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
}

/** The data folder cannot be used as it is; the message is one sentence for the operator. */
export class DataFolderError extends EmbeddedPostgresError {
  override readonly name = 'DataFolderError';
}
