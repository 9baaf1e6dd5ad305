import { isIP } from 'node:net';

/** What one caller can have many of: an IPv6 address stands for its /64, all of which is one customer's. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const missing = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(missing).fill('0'), ...(tail ?? [])].slice(0, 4).join(':');
}
