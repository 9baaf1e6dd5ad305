import { z } from 'zod';

/**
 * A backup is one gzip file. Decompressed it is text: a header line, then the rows of each table in the header's order as
 * PostgreSQL's COPY writes them, each table terminated by a line `\.`, then a trailer line.
 */
export const FORMAT = 'postil backup';
export const FORMAT_VERSION = 1;

/** The line that ends the rows of a table. In COPY's text format no row can start like this. */
export const END_OF_TABLE = Buffer.from('\\.\n');

/** The backup cannot be written or restored; the message is one sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** The fields that must be checked before the rest of the header can be parsed. */
export const formatSchema = z.object({ format: z.literal(FORMAT), format_version: z.int() });

export const headerSchema = z.strictObject({
  format: z.literal(FORMAT),
  format_version: z.literal(FORMAT_VERSION),
  created_at: z.iso.datetime(),
  postgres_version: z.string(),
  migrations: z.array(z.strictObject({ version: z.int(), name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()).min(1) })),
  partitions: z.array(z.strictObject({ parent: z.string(), name: z.string(), bound: z.string() })),
  sequences: z.array(z.strictObject({ name: z.string(), last_value: z.string(), is_called: z.boolean() })),
});

export const trailerSchema = z.strictObject({
  rows: z.record(z.string(), z.int().nonnegative()),
  sha256: z.string(),
});

export type BackupHeader = z.infer<typeof headerSchema>;
export type BackupTrailer = z.infer<typeof trailerSchema>;
export type BackupTable = BackupHeader['tables'][number];

/** Called periodically while rows are read or written; the estimate may be wrong, and is 0 if there is none. */
export type Progress = (table: string, rowsDone: number, rowsEstimated: number) => void;
