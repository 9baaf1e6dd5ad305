import type { IncomingMessage } from 'node:http';

/** More than any client needs. */
const maxHeadBytes = 16 * 1024;
/**
 * The parser's limit is higher, so that an error can have the shape of its endpoint, but lower than the size of a single read,
 * so that the first line of a longer head is available, too.
 */
export const maxParsedHeadBytes = 3 * maxHeadBytes;

/** The reason why a request is rejected because of its head alone, whatever its endpoint. */
export interface HeadFault {
  readonly status: 400 | 417 | 431;
  readonly message: string;
}

function headBytes({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}

function countHosts(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
}

/** Checks what HTTP itself requires of the head of a request. */
export function faultOfHead(request: IncomingMessage): HeadFault | undefined {
  if (headBytes(request) > maxHeadBytes)
    return { status: 431, message: `The URL and headers exceed ${maxHeadBytes} bytes` };
  const hosts = countHosts(request.rawHeaders);
  if (hosts > 1) return { status: 400, message: 'There is more than one Host header' };
  if (hosts === 0 && request.httpVersion === '1.1')
    return { status: 400, message: 'The Host header is missing' };
  const { expect } = request.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return { status: 417, message: 'Expect: only 100-continue is supported' };
  return undefined;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * The target of a request as path and query, without the scheme and host that proxies send. A path that cannot be decoded is
 * taken literally, so that it is handled like any unknown path.
 */
export function originForm(target: string): string {
  const address = target.replace(/^https?:\/\/[^/?#]*/i, '');
  if (address === '' || address.startsWith('?')) return `/${address}`;
  const [path = ''] = address.split('?', 1);
  if (!path.includes('%') || isDecodable(path)) return address;
  return path.replaceAll('%', '%25') + address.slice(path.length);
}
