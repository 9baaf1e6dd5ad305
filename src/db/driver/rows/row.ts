/** A row of text and int8 columns, read in place; valid only during the callback that receives it. */
export interface Row {
  /** The number of bytes in the column; -1 for null. */
  size(column: number): number;
  /** The first byte of a column that is neither null nor empty. */
  firstByte(column: number): number;
  copy(column: number, target: Buffer, at: number): void;
  text(column: number): string | null;
  /**
   * The bytes of a column that was selected as base64, which is two thirds the size of PostgreSQL's own text format for bytes.
   */
  base64(column: number): Buffer | null;
  /** The number of an int8 column that is not null. */
  integer(column: number): number;
}

/** PostgreSQL's int8 as a number; values that a number cannot represent exactly are an error, never rounded. */
export function exactNumber(int8: string): number {
  const value = Number(int8);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 value ${int8} is too large for a number`);
  return value;
}

/** A row that the client has split into columns. */
export class ColumnsRow implements Row {
  readonly #columns: readonly (Buffer | null)[];

  constructor(columns: readonly (Buffer | null)[]) {
    this.#columns = columns;
  }

  size(column: number): number {
    return this.#columns[column]?.length ?? -1;
  }

  firstByte(column: number): number {
    return this.#columns[column]![0]!;
  }

  copy(column: number, target: Buffer, at: number): void {
    target.set(this.#columns[column]!, at);
  }

  text(column: number): string | null {
    return this.#columns[column]?.toString() ?? null;
  }

  base64(column: number): Buffer | null {
    const text = this.#columns[column]?.toString('latin1');
    return text === undefined ? null : Buffer.from(text, 'base64');
  }

  integer(column: number): number {
    return exactNumber(this.#columns[column]!.toString());
  }
}

const rowType = 'D'.charCodeAt(0);
const countOffset = 5;
const sizeBytes = 4;

/** Whether the message that starts here is a row. */
export function isRowMessage(messages: Buffer, at: number): boolean {
  return messages[at] === rowType;
}

/** A row that is read inside the DataRow message that carries it; one object is reused for all messages. */
export class MessageRow implements Row {
  #messages: Buffer = Buffer.alloc(0);
  readonly #starts: number[] = [];
  readonly #sizes: number[] = [];

  /** Moves to the message that starts here. */
  moveTo(messages: Buffer, at: number): void {
    this.#messages = messages;
    const count = messages.readUInt16BE(at + countOffset);
    let next = at + countOffset + 2;
    for (let column = 0; column < count; column++) {
      const size = messages.readInt32BE(next);
      next += sizeBytes;
      this.#starts[column] = next;
      this.#sizes[column] = size;
      if (size > 0) next += size;
    }
  }

  size(column: number): number {
    return this.#sizes[column]!;
  }

  firstByte(column: number): number {
    if (!(this.#sizes[column]! > 0)) throw new RangeError(`column ${column} has no bytes`);
    return this.#messages[this.#starts[column]!]!;
  }

  copy(column: number, target: Buffer, at: number): void {
    const start = this.#starts[column]!;
    this.#messages.copy(target, at, start, start + this.#sizes[column]!);
  }

  text(column: number): string | null {
    const start = this.#starts[column]!;
    const size = this.#sizes[column]!;
    return size < 0 ? null : this.#messages.toString('utf8', start, start + size);
  }

  base64(column: number): Buffer | null {
    const start = this.#starts[column]!;
    const size = this.#sizes[column]!;
    return size < 0 ? null : Buffer.from(this.#messages.toString('latin1', start, start + size), 'base64');
  }

  integer(column: number): number {
    const start = this.#starts[column]!;
    return exactNumber(this.#messages.toString('latin1', start, start + this.#sizes[column]!));
  }
}
