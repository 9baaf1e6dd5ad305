import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../lib/app-error.ts';

/** Text compresses to a tenth or a thirtieth. A higher ratio indicates an attack (a "zip bomb"). */
const maxRatio = 200;
/** Below this size the ratio does not matter. */
const freeBytes = 1024 * 1024;

/**
 * Decompresses a body chunk by chunk, on demand, so that a few bytes that expand to gigabytes cost neither memory nor time.
 */
export async function* gunzipBody(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  let sent = 0;
  let expanded = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of compressed) {
      sent += chunk.length;
      yield chunk;
    }
  }
  const fed = pipeline(Readable.from(counted(), { objectMode: false }), gunzip);
  fed.catch(() => {}); // thrown below, where the chunks are read
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      expanded += chunk.length;
      if (expanded > freeBytes && expanded > maxRatio * sent)
        throw new AppError('PAYLOAD_TOO_LARGE', `The body expands to more than ${maxRatio} times its size`);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('INVALID_REQUEST', 'The body is not valid gzip, or ended before it was complete');
  }
}
