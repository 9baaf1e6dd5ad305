import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../lib/app-error.ts';
import type { Method } from '../endpoint.ts';

/** A page of another origin cannot send this header without a preflight request, which is never granted. */
export const dashboardHeader = 'x-postil-dashboard';

/**
 * A configured public URL is the only own origin. Without one, the origin is compared with the Host header, although the caller
 * chooses that.
 */
function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string | undefined): boolean {
  if (publicUrl !== undefined) return origin === publicUrl;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Rejects a change that may have been triggered by a page of another site. */
export function checkSameOrigin(
  method: Method,
  headers: IncomingHttpHeaders,
  publicUrl: string | undefined,
): void {
  if (method === 'GET') return;
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isOwn =
    headers[dashboardHeader] === '1' &&
    (site === undefined || site === 'same-origin') &&
    (origin === undefined || isOwnOrigin(origin, headers.host, publicUrl));
  if (isOwn) return;
  const place = publicUrl === undefined ? '' : ` at ${publicUrl}`;
  throw new AppError('PERMISSION_DENIED', `The request did not come from the dashboard${place}`);
}
