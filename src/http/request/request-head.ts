import type { IncomingMessage } from 'node:http';

/** As much as anybody needs. */
const maxHeadBytes = 16 * 1024;
/**
 * The parser itself takes more, so that a refusal can have the shape of its endpoint; but less than is read at once, so that
 * of a longer head the first line is at hand as well.
 */
export const maxParsedHeadBytes = 3 * maxHeadBytes;

/** Why a request is refused for its first lines alone, whatever it asks for. */
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

/** Judges what HTTP itself demands of the head of a request. */
export function faultOfHead(request: IncomingMessage): HeadFault | undefined {
  if (headBytes(request) > maxHeadBytes)
    return { status: 431, message: `The address and headers have more than ${maxHeadBytes} bytes` };
  const hosts = countHosts(request.rawHeaders);
  if (hosts > 1) return { status: 400, message: 'The Host header is given more than once' };
  if (hosts === 0 && request.httpVersion === '1.1')
    return { status: 400, message: 'The Host header is missing' };
  const { expect } = request.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return { status: 417, message: 'Expect: only 100-continue can be expected' };
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
 * The address of a request as path and query. One with scheme and host, as proxies send it, is the same without them. A path
 * that cannot be decoded stands for itself, so that it takes the way of any other that names nothing.
 */
export function originForm(target: string): string {
  const address = target.replace(/^https?:\/\/[^/?#]*/i, '');
  if (address === '' || address.startsWith('?')) return `/${address}`;
  const [path = ''] = address.split('?', 1);
  if (!path.includes('%') || isDecodable(path)) return address;
  return path.replaceAll('%', '%25') + address.slice(path.length);
}
