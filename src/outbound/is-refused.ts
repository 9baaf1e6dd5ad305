import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressGuard } from './address-guard.ts';

const lookupTimeoutMs = 3_000;

/**
 * Whether the guard would refuse a call to this URL, so that a wrong setting is reported when it is made. False for a name that
 * cannot be resolved within the timeout; every call is checked again.
 */
export async function isRefused({ hostname }: URL, guard: AddressGuard): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return !guard(host, host);
  const unknown = sleep(lookupTimeoutMs, [], { ref: false });
  const found = await Promise.race([lookup(host, { all: true }).catch(() => []), unknown]);
  return found.some(({ address }) => !guard(address, host));
}
