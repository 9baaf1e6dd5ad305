import type { IncomingHttpHeaders } from 'node:http';
import { fastifyCookie as cookies } from '@fastify/cookie';

/** The public URL of the dashboard, if known; decides which cookie attributes can be used. */
export interface DashboardAddress {
  readonly publicUrl?: string | undefined;
}

export type CookieName = 'postil_session' | 'postil_sso' | 'postil_device' | 'postil_changed';

// With https, the prefix makes browsers guarantee that this very host has set the cookie, for all of its paths.
function fullName(name: CookieName, { publicUrl }: DashboardAddress): string {
  return isSecure(publicUrl) ? `__Host-${name}` : name;
}

function isSecure(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith('https://') ?? false;
}

/** The value of a cookie that this server set; undefined if the browser did not send it. */
export function readCookie(
  headers: IncomingHttpHeaders,
  name: CookieName,
  address: DashboardAddress,
): string | undefined {
  return cookies.parse(headers.cookie ?? '')[fullName(name, address)];
}

/** The header that sets a cookie which scripts cannot read and other sites' forms do not send; a max age of 0 deletes it. */
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
