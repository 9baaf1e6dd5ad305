import { createHash } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  BackupError,
  type BackupHeader,
  END_OF_TABLE,
  FORMAT_VERSION,
  formatSchema,
  headerSchema,
  trailerSchema,
} from './backup-format.ts';

const NEWLINE = 10;
const BACKSLASH = 92;
const CHUNK_BYTES = 256 * 1024;
const MEBIBYTE = 1024 * 1024;
const MAX_HEADER_BYTES = 8 * MEBIBYTE;
/** Rows have unique keys and compress to about a tenth; repetitive data can compress to a thousandth. */
const MAX_RATIO = 200;
const RATIO_FREE_BYTES = 64 * MEBIBYTE;

/** Reads a backup from start to end, in small chunks, and detects any damage on the way. */
export class BackupReader {
  readonly #file: string;
  readonly #compressed: ReadStream;
  readonly #source: AsyncIterator<Buffer>;
  readonly #hash = createHash('sha256');
  readonly #rows: Record<string, number> = {};
  #unread: Buffer = Buffer.alloc(0);
  #decompressedBytes = 0;

  constructor(file: string) {
    this.#file = file;
    this.#compressed = createReadStream(file);
    const decompressed = pipeline(this.#compressed, createGunzip({ chunkSize: CHUNK_BYTES }), () => {});
    this.#source = (decompressed as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** How much of the compressed file has been read. */
  get bytesRead(): number {
    return this.#compressed.bytesRead;
  }

  /** The header, which comes first. */
  async header(): Promise<BackupHeader> {
    const line = await this.#line();
    this.#hash.update(line);
    const content = this.#parse(line);
    const format = formatSchema.safeParse(content);
    if (!format.success) throw this.#notABackup();
    if (format.data.format_version > FORMAT_VERSION) {
      throw new BackupError(`The backup ${this.#file} was made by a newer version of Postil.`);
    }
    const header = headerSchema.safeParse(content);
    if (!header.success) throw this.#damaged('its header is invalid');
    return header.data;
  }

  /** The rows of the next table, as text; must be read to the end. */
  async *rows(table: string): AsyncGenerator<{ text: Buffer; rowsDone: number }> {
    let rowsDone = 0;
    let isInsideRow = false;
    for (;;) {
      let end = 0;
      let isTableDone = false;
      while (end < this.#unread.length && !isTableDone) {
        if (!isInsideRow && this.#unread[end] === BACKSLASH) {
          const ahead = this.#unread.subarray(end, end + END_OF_TABLE.length);
          isTableDone = ahead.equals(END_OF_TABLE);
          if (ahead.equals(END_OF_TABLE.subarray(0, ahead.length))) break;
        }
        const newline = this.#unread.indexOf(NEWLINE, end);
        isInsideRow = newline === -1;
        end = isInsideRow ? this.#unread.length : newline + 1;
        if (!isInsideRow) rowsDone += 1;
      }
      if (end > 0) yield { text: this.#take(end), rowsDone };
      if (isTableDone) break;
      await this.#readMore();
    }
    this.#take(END_OF_TABLE.length);
    this.#rows[table] = rowsDone;
  }

  /** Compares what was read with the trailer; returns the number of rows in each table. */
  async finish(): Promise<Record<string, number>> {
    const trailer = trailerSchema.safeParse(this.#parse(await this.#line()));
    if (!trailer.success) throw this.#damaged('its trailer is invalid');
    if (trailer.data.sha256 !== this.#hash.digest('hex')) throw this.#damaged('its checksum is wrong');
    for (const [table, rows] of Object.entries(this.#rows)) {
      if (trailer.data.rows[table] !== rows) throw this.#damaged(`rows of the table ${table} are missing`);
    }
    if (this.#unread.length > 0 || !(await this.#next()).done)
      throw this.#damaged('it continues after its end');
    return this.#rows;
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #line(): Promise<Buffer> {
    for (;;) {
      const newline = this.#unread.indexOf(NEWLINE);
      if (newline !== -1) {
        const line = this.#unread.subarray(0, newline + 1);
        this.#unread = this.#unread.subarray(newline + 1);
        return line;
      }
      if (this.#unread.length > MAX_HEADER_BYTES) throw this.#notABackup();
      await this.#readMore();
    }
  }

  #take(length: number): Buffer {
    const text = this.#unread.subarray(0, length);
    this.#unread = this.#unread.subarray(length);
    this.#hash.update(text);
    return text;
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#next();
    if (done) throw this.#damaged('it ends too early');
    this.#decompressedBytes += value.length;
    if (this.#decompressedBytes > RATIO_FREE_BYTES && this.#decompressedBytes > this.bytesRead * MAX_RATIO)
      throw this.#damaged('it decompresses to far more than its size allows');
    this.#unread = this.#unread.length === 0 ? value : Buffer.concat([this.#unread, value]);
  }

  async #next(): Promise<IteratorResult<Buffer>> {
    try {
      return await this.#source.next();
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall) throw new BackupError(`The backup ${this.#file} cannot be read (${code}).`);
      if (code === 'Z_BUF_ERROR') throw this.#damaged('it ends too early');
      if (code === 'Z_DATA_ERROR') throw this.#damaged('it cannot be decompressed');
      throw error;
    }
  }

  #parse(line: Buffer): unknown {
    try {
      return JSON.parse(line.toString('utf8'));
    } catch {
      return undefined;
    }
  }

  #notABackup(): BackupError {
    return new BackupError(`The file ${this.#file} is not a Postil backup.`);
  }

  #damaged(how: string): BackupError {
    return new BackupError(`The backup ${this.#file} is damaged: ${how}.`);
  }
}

/** Reads a whole backup and throws a BackupError at the first sign of damage; `assertFits` may reject it before its rows are read. */
export async function verifyBackup(
  file: string,
  assertFits: (header: BackupHeader) => void,
  onProgress: (bytesDone: number, bytesTotal: number) => void,
): Promise<{ header: BackupHeader; rows: Record<string, number> }> {
  const reader = new BackupReader(file);
  try {
    const header = await reader.header();
    assertFits(header);
    const { size } = await stat(file);
    for (const { name } of header.tables) {
      for await (const _ of reader.rows(name)) onProgress(reader.bytesRead, size);
    }
    const rows = await reader.finish();
    onProgress(size, size);
    return { header, rows };
  } finally {
    await reader.close();
  }
}
