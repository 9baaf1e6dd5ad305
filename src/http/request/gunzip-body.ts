import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../lib/app-error.ts';

/**
 * Decompresses a body chunk by chunk, on demand, so that a few bytes that expand to gigabytes cost no memory.
 */
export async function* gunzipBody(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  const fed = pipeline(Readable.from(compressed, { objectMode: false }), gunzip);
  fed.catch(() => {}); // thrown below, where the chunks are read
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('INVALID_REQUEST', 'The body is not valid gzip, or ended before it was complete');
  }
}
