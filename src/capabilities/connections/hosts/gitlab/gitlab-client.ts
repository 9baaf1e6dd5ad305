import { boundedPages } from '../bounded-pages.ts';
import type { RestClient } from '../rest-client.ts';

const pageSize = 100;

/** Reads a list page by page, by the number of the next page, which GitLab leaves empty on the last. */
export async function* gitLabPages<Item>(client: RestClient, path: string): AsyncGenerator<Item> {
  const separator = path.includes('?') ? '&' : '?';
  let page = '1';
  yield* boundedPages<Item>(async () => {
    if (page === '') return null;
    const answer = await client.readWithHeaders({
      path: `${path}${separator}per_page=${pageSize}&page=${page}`,
      size: 'page',
    });
    page = answer?.headers['x-next-page'] ?? '';
    return answer === null ? null : (answer.value ?? []);
  });
}
