import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { CommandError } from './command-error.ts';

/** The input of a command: a file, or standard input if the file is "-". */
export interface InputFile {
  /** Its name in messages. */
  readonly name: string;
  readonly source: Readable;
  /** Its size, or 0 if unknown. */
  readonly bytes: number;
}

const reasons: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder, not a file',
  EACCES: 'cannot be read: permission denied',
};

function explain(file: string, error: unknown): CommandError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new CommandError(`${file} ${reasons[code ?? ''] ?? `cannot be read (${code ?? message})`}`);
}

async function* explainErrors(file: string, source: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source) yield chunk as Buffer;
  } catch (error) {
    throw explain(file, error);
  }
}

/** Opens a file for reading, or throws an explanation. A relative path is relative to `folder`. */
export async function openInput(file: string, folder = ''): Promise<InputFile> {
  if (file === '-') return { name: 'standard input', source: process.stdin, bytes: 0 };
  let handle: FileHandle | undefined;
  try {
    handle = await open(path.resolve(folder, file));
    const found = await handle.stat();
    if (found.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
    const stream = handle.createReadStream({ highWaterMark: 256 * 1024 });
    const source = Readable.from(explainErrors(file, stream)).once('close', () => stream.destroy());
    return { name: file, source, bytes: found.isFile() ? found.size : 0 };
  } catch (error) {
    await handle?.close();
    throw explain(file, error);
  }
}

/** Reads the whole file as text, unless it is larger than `maxMebibytes` or is not text. */
export async function readInputText({ name, source, bytes }: InputFile, maxMebibytes: number) {
  const maxBytes = maxMebibytes * 1024 * 1024;
  const tooLarge = () => new CommandError(`${name} is too large: the limit is ${maxMebibytes} MiB`);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    if (bytes > maxBytes) throw tooLarge();
    for await (const chunk of source as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } finally {
    source.destroy();
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    if (!text.includes('\0')) return text;
  } catch {
    // Not UTF-8: reported like any other file that is not text.
  }
  throw new CommandError(`${name} is not a UTF-8 text file`);
}
