import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../lib/app-error.ts';

/**
 * Decompresses a body piece by piece: no more of it is read than its reader asks for, so that a few bytes that stand for
 * gigabytes cost no memory.
 */
export async function* gunzipBody(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  const fed = pipeline(Readable.from(compressed, { objectMode: false }), gunzip);
  fed.catch(() => {}); // thrown below, where the pieces are read
  try {
    for await (const piece of gunzip) yield piece as Buffer;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('INVALID_REQUEST', 'The body is not valid gzip, or ended before it was complete');
  }
}
