import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
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
const LONGEST_LINE_BYTES = 64 * 1024 * 1024;

/** Reads a backup from its beginning to its end, in small pieces, and finds every damage on the way. */
export class BackupReader {
  readonly #file: string;
  readonly #source: AsyncIterator<Buffer>;
  readonly #hash = createHash('sha256');
  readonly #rows: Record<string, number> = {};
  #unread: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
    const unpacked = pipeline(createReadStream(file), createGunzip(), () => {});
    this.#source = (unpacked as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** The header, which comes first. */
  async header(): Promise<BackupHeader> {
    const line = await this.#line();
    this.#hash.update(line);
    const content = this.#parse(line);
    const format = formatSchema.safeParse(content);
    if (!format.success) throw this.#isNoBackup();
    if (format.data.format_version > FORMAT_VERSION) {
      throw new BackupError(`The backup ${this.#file} was made by a newer version of Postil.`);
    }
    const header = headerSchema.safeParse(content);
    if (!header.success) throw this.#isDamaged('its header is not as it should be');
    return header.data;
  }

  /** The text of the rows of the next table, to be read to its end. */
  async *rows(table: string): AsyncGenerator<{ text: Buffer; rowsDone: number }> {
    let rowsDone = 0;
    let isRowBegun = false;
    for (;;) {
      let end = 0;
      let isTableOver = false;
      while (end < this.#unread.length && !isTableOver) {
        const ahead = this.#unread.subarray(end, end + END_OF_TABLE.length);
        if (!isRowBegun && ahead.equals(END_OF_TABLE.subarray(0, ahead.length))) {
          isTableOver = ahead.length === END_OF_TABLE.length;
          break;
        }
        const newline = this.#unread.indexOf(NEWLINE, end);
        isRowBegun = newline === -1;
        end = isRowBegun ? this.#unread.length : newline + 1;
        if (!isRowBegun) rowsDone += 1;
      }
      if (end > 0) yield { text: this.#take(end), rowsDone };
      if (isTableOver) break;
      await this.#readMore();
    }
    this.#take(END_OF_TABLE.length);
    this.#rows[table] = rowsDone;
  }

  /** Compares what was read with the trailer; gives the number of rows of each table. */
  async finish(): Promise<Record<string, number>> {
    const trailer = trailerSchema.safeParse(this.#parse(await this.#line()));
    if (!trailer.success) throw this.#isDamaged('its end is not as it should be');
    if (trailer.data.sha256 !== this.#hash.digest('hex')) throw this.#isDamaged('its checksum is wrong');
    for (const [table, rows] of Object.entries(this.#rows)) {
      if (trailer.data.rows[table] !== rows) throw this.#isDamaged(`rows of the table ${table} are missing`);
    }
    if (this.#unread.length > 0 || !(await this.#next()).done)
      throw this.#isDamaged('it goes on after its end');
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
      if (this.#unread.length > LONGEST_LINE_BYTES) throw this.#isNoBackup();
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
    if (done) throw this.#isDamaged('it ends too early');
    this.#unread = this.#unread.length === 0 ? value : Buffer.concat([this.#unread, value]);
  }

  async #next(): Promise<IteratorResult<Buffer>> {
    try {
      return await this.#source.next();
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall) throw new BackupError(`The backup ${this.#file} cannot be read (${code}).`);
      if (code === 'Z_BUF_ERROR') throw this.#isDamaged('it ends too early');
      if (code === 'Z_DATA_ERROR') throw this.#isDamaged('it cannot be unpacked');
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

  #isNoBackup(): BackupError {
    return new BackupError(`The file ${this.#file} is not a backup of Postil.`);
  }

  #isDamaged(how: string): BackupError {
    return new BackupError(`The backup ${this.#file} is damaged: ${how}.`);
  }
}

/** Reads a whole backup and throws a BackupError if anything in it is damaged. */
export async function verifyBackup(
  file: string,
): Promise<{ header: BackupHeader; rows: Record<string, number> }> {
  const reader = new BackupReader(file);
  try {
    const header = await reader.header();
    for (const { name } of header.tables) {
      for await (const _ of reader.rows(name));
    }
    return { header, rows: await reader.finish() };
  } finally {
    await reader.close();
  }
}
