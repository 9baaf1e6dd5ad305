import type { IncomingMessage } from 'node:http';
import { AppError } from '../lib/app-error.ts';

export const defaultBodyBytes = 1024 * 1024;

/** The media type of a request in lower case, without its parameters. */
export function mediaTypeOf(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** Refuses a body of another type than those named, or a compressed one. */
export function checkMediaType(request: IncomingMessage, accepted: readonly string[]): void {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Compressed bodies are not accepted');
  if (!accepted.includes(mediaTypeOf(request))) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The content type must be ${accepted.join(' or ')}`);
  }
}

/** Reads the body whole, refusing it as soon as it is known to be too large. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // The stream stays open when we stop reading, so that the caller can still be told why.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('INVALID_REQUEST', 'The body ended before it was complete');
  }
  return Buffer.concat(chunks);
}

const mostDiscardedBytes = 64 * 1024 * 1024;

/** Reads on without keeping anything, so that a caller who is still sending hears the answer; not for ever. */
export function discardRest(request: IncomingMessage): void {
  let left = mostDiscardedBytes;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses JSON text that must be UTF-8. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new AppError('INVALID_REQUEST', 'The body is not valid JSON in UTF-8');
  }
}
