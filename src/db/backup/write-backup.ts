import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Database, Tx } from '../database.ts';
import { appliedMigrations } from '../schema/migrate.ts';
import {
  BackupError,
  type BackupHeader,
  type BackupTrailer,
  END_OF_TABLE,
  FORMAT,
  FORMAT_VERSION,
  type Progress,
} from './backup-format.ts';
import { type StoredTable, storedPartitions, storedSequences, storedTables } from './backup-tables.ts';

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;

/**
 * Writes a snapshot of the whole database to a new file, readable by its owner only.
 *
 * The database stays in use meanwhile. The file appears under its name only once it is complete; an existing file is never
 * overwritten.
 */
export async function backup(
  database: Database,
  file: string,
  onProgress: Progress = () => {},
): Promise<{ rows: number; schemaVersion: number }> {
  const partial = `${file}.partial`;
  if (existsSync(file)) throw new BackupError(`The file ${file} already exists and is not overwritten.`);
  try {
    const result = await database.transaction((tx) => writeBackup(tx, partial, onProgress), {
      isolation: 'repeatable read',
      readOnly: true,
      isLong: true,
    });
    await publish(partial, file);
    return result;
  } catch (error) {
    throw describeFailure(error, file);
  }
}

function describeFailure(error: unknown, file: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return error;
  if (code === 'EEXIST') {
    return new BackupError(
      `The file ${file}.partial exists: another backup is being written, or one was interrupted and the file can be removed.`,
    );
  }
  return new BackupError(`The backup ${file} could not be written (${code}).`, { cause: error });
}

async function writeBackup(tx: Tx, partial: string, onProgress: Progress) {
  const tables = await storedTables(tx);
  const header = await headerOf(tx, tables);
  const output = await open(partial, 'wx', 0o600);
  const removePartial = () => rmSync(partial, { force: true });
  process.on('exit', removePartial);
  try {
    const totals = { rows: 0, schemaVersion: header.migrations.at(-1)?.version ?? 0 };
    const text = Readable.from(backupText(tx, header, tables, totals, onProgress), { objectMode: false });
    await pipeline(
      text,
      createGzip({ level: 3 }),
      createWriteStream('', { fd: output.fd, autoClose: false }),
    );
    await output.sync();
    return totals;
  } catch (error) {
    removePartial();
    throw error;
  } finally {
    process.off('exit', removePartial);
    await output.close();
  }
}

async function headerOf(tx: Tx, tables: StoredTable[]): Promise<BackupHeader> {
  const migrations = await appliedMigrations(tx);
  if (migrations.length === 0) throw new BackupError('The database is empty: it has no schema yet.');
  const [server] = await tx`select current_setting('server_version') as version`;
  return {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    created_at: new Date().toISOString(),
    postgres_version: server?.version,
    migrations,
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    partitions: await storedPartitions(tx),
    sequences: await storedSequences(tx),
  };
}

async function* backupText(
  tx: Tx,
  header: BackupHeader,
  tables: StoredTable[],
  totals: { rows: number },
  onProgress: Progress,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (chunk: Buffer) => {
    hash.update(chunk);
    return chunk;
  };
  const rows: BackupTrailer['rows'] = {};
  yield hashed(Buffer.from(`${JSON.stringify(header)}\n`));
  for (const table of tables) {
    let done = 0;
    for await (const chunk of copiedRows(tx, table)) {
      done += countLines(chunk);
      yield hashed(chunk);
      onProgress(table.name, done, Math.max(table.estimatedRows, done));
    }
    onProgress(table.name, done, done);
    rows[table.name] = done;
    totals.rows += done;
    yield hashed(END_OF_TABLE);
  }
  const trailer: BackupTrailer = { rows, sha256: hash.digest('hex') };
  yield Buffer.from(`${JSON.stringify(trailer)}\n`);
}

async function* copiedRows(tx: Tx, { name, columns }: StoredTable): AsyncGenerator<Buffer> {
  // A partitioned table can only be copied through a query, which reads all of its partitions.
  const stream = await tx`copy (select ${tx(columns)} from ${tx(name)}) to stdout`.readable();
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const row of stream as AsyncIterable<Buffer>) {
    chunks.push(row);
    bytes += row.length;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(chunks, bytes);
    chunks = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(chunks, bytes);
}

function countLines(text: Buffer): number {
  let lines = 0;
  for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}

/** Durably gives the complete file its name, unless another file has taken that name meanwhile. */
async function publish(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file);
    await rm(partial);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      await rm(partial, { force: true });
      throw new BackupError(`The file ${file} already exists and is not overwritten.`);
    }
    await rename(partial, file); // a file system without links
  }
  const folder = await open(path.dirname(path.resolve(file)), 'r');
  await folder.sync().finally(() => folder.close());
}
