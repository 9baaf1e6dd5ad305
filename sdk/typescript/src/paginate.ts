import type { PostilClient } from './client.ts';
import { unwrap } from './errors.ts';
import type { paths } from './schema.ts';

/** What a GET answers as JSON. */
type JsonOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

interface Page {
  readonly next_cursor?: string | null;
  readonly pagination?: { readonly page: number; readonly has_next_page: boolean };
}

/** The paths of lists that are read page by page. */
export type PagedPath = {
  [Path in keyof paths]: JsonOf<Path> extends { next_cursor: string | null } | { pagination: object }
    ? Path
    : never;
}[keyof paths];

type ItemIn<Body> = Body extends unknown
  ? { [Key in keyof Body]: Body[Key] extends readonly (infer Item)[] ? Item : never }[keyof Body]
  : never;

/** One entry of the list at a path. */
export type ItemOf<Path extends PagedPath> = ItemIn<JsonOf<Path>>;

type ParametersOf<Path extends PagedPath> = paths[Path] extends { get: { parameters: infer Parameters } }
  ? Pick<Parameters, Extract<keyof Parameters, 'query' | 'path'>>
  : never;

function nextPage({ next_cursor, pagination }: Page): Record<string, unknown> | undefined {
  if (pagination !== undefined) return pagination.has_next_page ? { page: pagination.page + 1 } : undefined;
  return next_cursor == null ? undefined : { cursor: next_cursor };
}

/**
 * Every entry of a list, page by page: `for await (const run of paginate(client, '/v1/reviews'))`.
 * Pages are read when they are needed; a page that cannot be read throws a `PostilError`.
 */
export async function* paginate<Path extends PagedPath>(
  client: PostilClient,
  path: Path,
  params: Partial<ParametersOf<Path>> = {},
): AsyncGenerator<ItemOf<Path>, void, undefined> {
  const get = client.GET as (path: string, init: object) => ReturnType<PostilClient['GET']>;
  const given = params as { query?: object; path?: object };
  let position: Record<string, unknown> | undefined = {};
  while (position !== undefined) {
    const result = await get(path, { params: { ...given, query: { ...given.query, ...position } } });
    const page = unwrap<unknown>(result) as Page;
    yield* Object.values(page).find(Array.isArray) as ItemOf<Path>[];
    position = nextPage(page);
  }
}
