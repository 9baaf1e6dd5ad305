import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** The proxies whose X-Forwarded-For is trusted: none, a number of hops, or these networks. */
export type TrustedProxies = false | number | readonly string[];

/**
 * The setting in Fastify's format. Each proxy appends the address of its own caller to X-Forwarded-For, so the header is read
 * from the right as long as the proxies are trusted. Anything further left may be forged.
 */
export function proxyTrust(proxies: TrustedProxies) {
  // Fastify's own handling of a number would trust no proxy.
  if (typeof proxies === 'number') return (_address: string, hop: number) => hop < proxies;
  return proxies === false ? false : [...proxies];
}

/** An address in canonical form, without the port that some proxies add; undefined if it is not one. */
function plainAddress(text: string | undefined): string | undefined {
  const [, bracketed, ipv4] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text ?? '') ?? [];
  const address = (bracketed ?? ipv4 ?? text ?? '').replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined;
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/**
 * The address of the caller; that of the nearest proxy if the header did not contain an address, and null if that is unknown,
 * too.
 */
export function callerAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string | null {
  return plainAddress(ip) ?? plainAddress(socket.remoteAddress) ?? null;
}
