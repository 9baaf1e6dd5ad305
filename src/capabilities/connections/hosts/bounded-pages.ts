import { hash } from 'node:crypto';
import { HostUnavailable } from './host.ts';

// Safety limits, far beyond the largest real list, against hosts whose lists never end.
const maxPages = 10_000;
const maxItems = 1_000_000;
const maxWaitMs = 15 * 60_000;

/**
 * The items of a list that is read page by page, until there is no further page (null). A host that repeats a page, because
 * it ignores the page number or a cache in front of it does, is refused: its list would have no end, or would be incomplete.
 */
export async function* boundedPages<Item>(readPage: () => Promise<unknown>): AsyncGenerator<Item> {
  const seen = new Set<string>();
  let count = 0;
  let waitedMs = 0;
  for (;;) {
    const startedAt = performance.now();
    const page = await readPage();
    // Only the host's own time counts: between pages, the caller may do other work.
    waitedMs += performance.now() - startedAt;
    if (page === null) return;
    if (!Array.isArray(page) || page.some((item) => typeof item !== 'object'))
      throw new HostUnavailable('the host sent something else instead of a list');
    const digest = hash('sha256', JSON.stringify(page));
    // Some hosts send null for entries that they hide. Pages of nothing but nulls look alike without being repeated.
    const isTelling = page.length === 0 || page.some((item) => item !== null);
    if (isTelling && seen.has(digest))
      throw new HostUnavailable('the host keeps sending the same page of a list');
    seen.add(digest);
    count += page.length;
    if (seen.size > maxPages || count > maxItems || waitedMs > maxWaitMs)
      throw new HostUnavailable('the host sent a list without an end');
    yield* page as Item[];
  }
}
