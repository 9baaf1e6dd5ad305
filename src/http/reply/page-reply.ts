import { type JsonPage, jsonPage } from '../../lib/wire/json-page.ts';
import type { Reply } from '../endpoint.ts';
import { queryOf } from '../request/request-input.ts';

const jsonType = 'application/json; charset=utf-8';

/** The page `{data, next_cursor}` from entries that already are JSON text; throws if it exceeds 16 MiB. */
export function jsonPageReply(entries: readonly (Buffer | string)[], nextCursor: string | null): Reply {
  return { content: { type: jsonType, bytes: jsonPage(entries, nextCursor) } };
}

/** A page built in reused memory, which is released once the last byte has been sent. */
export function builtPageReply(page: JsonPage, nextCursor: string | null): Reply {
  const { bytes, release } = page.finish(nextCursor);
  return { content: { type: jsonType, bytes, onSent: release } };
}

/** The URL of the next page: the request's own, with the cursor set. */
export function nextPageUrl(requestUrl: string, nextCursor: string): string {
  const parameters = queryOf(requestUrl);
  parameters.set('cursor', nextCursor);
  return `${requestUrl.split('?', 1)[0]}?${parameters}`;
}

/** The declaration of a CSV response, for the OpenAPI document. */
export const csvHeaders = {
  'x-next-cursor': 'CSV only: the cursor of the next page; absent on the last one',
  Link: 'CSV only: the address of the next page, `rel="next"`; absent on the last one',
};

/** A page as a CSV download; the next cursor, if there is one, is in `x-next-cursor` and `Link: rel="next"`. */
export function csvReply(bytes: Buffer, requestUrl: string, nextCursor: string | null): Reply {
  return {
    headers:
      nextCursor === null
        ? {}
        : {
            'x-next-cursor': nextCursor,
            link: `<${nextPageUrl(requestUrl, nextCursor)}>; rel="next"`,
          },
    content: { type: 'text/csv; charset=utf-8; header=present', bytes },
  };
}
