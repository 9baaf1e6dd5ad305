import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Whose word is taken for where a request comes from: nobody's, that of so many proxies, or that of these networks. */
export type TrustedProxies = false | number | readonly string[];

/**
 * What Fastify wants to be told of them. Each proxy adds the address of its own caller at the right of X-Forwarded-For, so
 * that it is read from there, as far as the proxies are ours; what stands further left anybody can have written.
 */
export function proxyTrust(proxies: TrustedProxies) {
  // Fastify itself takes a number for "nobody".
  if (typeof proxies === 'number') return (_address: string, hop: number) => hop < proxies;
  return proxies === false ? false : [...proxies];
}

/** An address in its one spelling, without the port that some proxies add; undefined for what is none. */
function plainAddress(text: string | undefined): string | undefined {
  const [, bracketed, ipv4] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text ?? '') ?? [];
  const address = (bracketed ?? ipv4 ?? text ?? '').replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined;
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** Where a request comes from; the proxy it came over, if that said something else than an address. */
export function callerAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string | null {
  return plainAddress(ip) ?? plainAddress(socket.remoteAddress) ?? null;
}
