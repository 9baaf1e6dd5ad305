import { BlockList, isIP } from 'node:net';

/** Decides whether connecting to an address is allowed; called with the address that a host name resolved to. */
export type AddressGuard = (address: string, host: string) => boolean;

/** For hosts that the operator configures: any address. */
export const anyAddress: AddressGuard = () => true;

// Loopback, private, link-local (cloud metadata too), shared, documentation, multicast and reserved ranges.
const internalRanges: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 96], // unspecified, loopback, IPv4-compatible
  ['::ffff:0:0:0', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32], // Teredo, which embeds IPv4 addresses
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

// Addresses that embed an IPv4 address; the embedded address decides.
const embeddedIpv4: readonly RegExp[] = [/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i];

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function rangesOf(ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  // The ranges are known to be valid, so `isIP` is not called: its regular expression takes 8 ms to compile, at every start.
  for (const [address, prefix] of ranges)
    list.addSubnet(address, prefix, address.includes(':') ? 'ipv6' : 'ipv4');
  return list;
}

const internal = rangesOf(internalRanges);
const nat64 = rangesOf([['64:ff9b::', 96]]);
const sixToFour = rangesOf([['2002::', 16]]);

/** Whether an address is reachable only inside a network, or does not belong to a single host. */
export function isInternal(address: string): boolean {
  const ipv4 = embeddedIpv4.map((pattern) => pattern.exec(address)?.[1]).find((found) => found !== undefined);
  if (ipv4 !== undefined) return isInternal(ipv4);
  const family = familyOf(address);
  // Translated addresses can mean any IPv4 host, private ones too.
  if (family === 'ipv6' && (nat64.check(address, family) || sixToFour.check(address, family))) return true;
  // `check` also handles IPv6 addresses that map an IPv4 one in hexadecimal.
  return isIP(address) === 0 || internal.check(address, family);
}

/** Internal addresses, CIDR ranges and host names that the operator allows. */
export interface AllowedAddresses {
  readonly ranges: readonly (readonly [string, number])[];
  readonly hosts: readonly string[];
}

/** Parses a comma-separated list of addresses, CIDR ranges and host names; returns the first invalid element as a string. */
export function parseAllowedAddresses(text: string): AllowedAddresses | string {
  const ranges: [string, number][] = [];
  const hosts: string[] = [];
  for (const element of text.split(',').map((part) => part.trim())) {
    if (element === '') continue;
    const [address = '', prefix] = element.split('/');
    const maxPrefix = isIP(address) === 6 ? 128 : 32;
    if (isIP(address) !== 0) {
      const length = prefix === undefined ? maxPrefix : Number(prefix);
      if (!/^\d*$/.test(prefix ?? '') || length > maxPrefix) return element;
      ranges.push([address, length]);
    } else if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(element)) hosts.push(element.toLowerCase());
    else return element;
  }
  return { ranges, hosts };
}

/** For addresses that customers provide: public ones, and those that the operator allows. */
export function publicAddresses({ ranges, hosts }: AllowedAddresses): AddressGuard {
  const allowed = rangesOf(ranges);
  return (address, host) =>
    !isInternal(address) || hosts.includes(host.toLowerCase()) || allowed.check(address, familyOf(address));
}
