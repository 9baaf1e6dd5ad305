import assert from 'node:assert/strict';
import type { Answer } from './harness.ts';

type Get = (path: string, key?: string) => Promise<Answer>;

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects, and fails if they are missing
type Entry = any;

/** Settings without effective rate limits, for tests that are not about them. */
export const withoutLimits = {
  settings: { metricsPerMinute: 100_000, apiKeyHeaderAliases: [] },
};

/** Reads a page; the request must succeed. */
export async function readPage(
  get: Get,
  path: string,
  key: string,
): Promise<{ data: Entry[]; next_cursor: string | null }> {
  const answer = await get(path, key);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Follows the cursors to the end, using the limits in turn. */
export async function readAllPages(
  get: Get,
  path: string,
  key: string,
  limits: readonly number[] = [1000],
): Promise<Entry[]> {
  const entries: Entry[] = [];
  const seen = new Set<string>();
  let cursor: string | null = null;
  for (let page = 0; ; page++) {
    const limit = limits[page % limits.length]!;
    const from: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { data, next_cursor } = await readPage(get, `${path}&limit=${limit}${from}`, key);
    assert.ok(data.length <= limit, 'a page has no more than its limit');
    assert.ok(next_cursor === null || data.length === limit, 'a page with a next one is full');
    entries.push(...data);
    if (next_cursor === null) return entries;
    assert.ok(!seen.has(next_cursor), 'no cursor is repeated');
    seen.add(next_cursor);
    cursor = next_cursor;
  }
}
