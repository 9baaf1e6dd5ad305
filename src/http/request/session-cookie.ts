import type { IncomingHttpHeaders } from 'node:http';
import { fastifyCookie as cookies } from '@fastify/cookie';

/** Where the browser reaches the dashboard, as far as it is known; decides what cookies can promise. */
export interface DashboardAddress {
  readonly publicUrl?: string | undefined;
}

export type CookieName = 'postil_session' | 'postil_sso' | 'postil_device';

// With https the browser itself guarantees that only this host set the cookie, and for the whole of it.
function fullName(name: CookieName, { publicUrl }: DashboardAddress): string {
  return isSecure(publicUrl) ? `__Host-${name}` : name;
}

function isSecure(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith('https://') ?? false;
}

/** The value of a cookie that this server set. */
export function readCookie(
  headers: IncomingHttpHeaders,
  name: CookieName,
  address: DashboardAddress,
): string | undefined {
  return cookies.parse(headers.cookie ?? '')[fullName(name, address)];
}

/** The header that sets a cookie no script can read and no other site's form sends; no seconds left takes it away. */
export function writeCookie(
  name: CookieName,
  value: string,
  maxAgeSeconds: number,
  address: DashboardAddress,
): string {
  return cookies.serialize(fullName(name, address), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(address.publicUrl),
    maxAge: maxAgeSeconds,
  });
}
