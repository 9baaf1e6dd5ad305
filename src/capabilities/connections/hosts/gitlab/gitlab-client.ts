import type { RestClient } from '../rest-client.ts';

const pageSize = 100;

/** A list of the host, page by page: by the number of the next page, which GitLab leaves empty on the last. */
export async function* gitLabPages<Item>(client: RestClient, path: string): AsyncGenerator<Item> {
  const joint = path.includes('?') ? '&' : '?';
  for (let page = '1'; page !== ''; ) {
    const answer = await client.readWithHeaders<Item[]>({
      path: `${path}${joint}per_page=${pageSize}&page=${page}`,
    });
    if (answer === null) return;
    yield* answer.value;
    page = answer.headers['x-next-page'] ?? '';
  }
}
