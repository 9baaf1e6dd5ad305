import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

const compress = promisify(gzip);
/** Smaller content fits into one or two packets without compression. */
const minCompressedBytes = 1024;

/** Content that is the same for all callers. It is generated and compressed once, so that serving it is cheap. */
export interface PreparedContent {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer | undefined;
  readonly etag: string;
}

/** Prepares content of a media type. */
export async function prepareContent(type: string, content: string | Buffer): Promise<PreparedContent> {
  const bytes = Buffer.from(content as string);
  const gzipped =
    bytes.length < minCompressedBytes
      ? undefined
      : await compress(bytes, { level: constants.Z_BEST_COMPRESSION });
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  return {
    type,
    bytes,
    gzipped: gzipped !== undefined && gzipped.length < bytes.length ? gzipped : undefined,
    // Weak, because it identifies the content whether or not it is compressed.
    etag: `W/"${hash}"`,
  };
}

function acceptsGzip(header: string | undefined): boolean {
  const codings = (header ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  const wanted = codings.find((coding) => /^(x-)?gzip\b/.test(coding));
  return wanted !== undefined && !/;\s*q=0(\.0*)?$/.test(wanted);
}

/** The content as the caller accepts it: compressed or not, or no body if the caller has the current version. */
export function negotiate(
  { etag, gzipped, bytes }: PreparedContent,
  headers: IncomingHttpHeaders,
): { readonly status: 200 | 304; readonly body?: Buffer; readonly encoding?: 'gzip' } {
  const known = headers['if-none-match'];
  if (known !== undefined && (known === '*' || known.split(',').some((tag) => tag.trim() === etag)))
    return { status: 304 };
  if (gzipped !== undefined && acceptsGzip(headers['accept-encoding']))
    return { status: 200, body: gzipped, encoding: 'gzip' };
  return { status: 200, body: bytes };
}
