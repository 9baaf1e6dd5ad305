import type { PostilClient } from './client.ts';
import { unwrap } from './errors.ts';
import type { paths } from './schema.ts';

/** The JSON response of a GET. */
type JsonOf<Path extends keyof paths> = paths[Path] extends {
  get: {
    responses: {
      200: { content: { 'application/json': infer Body } | { 'application/scim+json': infer Body } };
    };
  };
}
  ? Body
  : never;

interface ScimPage {
  readonly Resources: readonly unknown[];
  readonly startIndex: number;
  readonly totalResults: number;
}

interface Page {
  readonly next_cursor?: string | null;
  readonly pagination?: { readonly page: number; readonly has_next_page: boolean };
}

/** The paths of paged lists. */
export type PagedPath = {
  [Path in keyof paths]: JsonOf<Path> extends
    | { next_cursor: string | null }
    | { pagination: object }
    | { Resources: unknown[]; startIndex: number }
    ? Path
    : never;
}[keyof paths];

type ItemIn<Body> = Body extends { Resources: readonly (infer Item)[] }
  ? Item
  : { [Key in keyof Body]: Body[Key] extends readonly (infer Item)[] ? Item : never }[keyof Body];

/** One entry of the list at a path. */
export type ItemOf<Path extends PagedPath> = ItemIn<JsonOf<Path>>;

type ParametersOf<Path extends PagedPath> = paths[Path] extends { get: { parameters: infer Parameters } }
  ? Pick<Parameters, Extract<keyof Parameters, 'query' | 'path'>>
  : never;

function isOfScim(page: Page | ScimPage): page is ScimPage {
  return 'Resources' in page;
}

function nextPage(page: Page | ScimPage): Record<string, unknown> | undefined {
  if (isOfScim(page)) {
    const next = page.startIndex + page.Resources.length;
    return page.Resources.length > 0 && next <= page.totalResults ? { startIndex: next } : undefined;
  }
  const { next_cursor, pagination } = page;
  if (pagination !== undefined) return pagination.has_next_page ? { page: pagination.page + 1 } : undefined;
  return next_cursor == null ? undefined : { cursor: next_cursor };
}

/**
 * Yields every entry of a list: `for await (const run of paginate(client, '/v1/reviews'))`.
 * Pages are fetched as needed; an error response throws a `PostilError`.
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
    const page = unwrap<unknown>(result) as Page | ScimPage;
    const items: unknown = isOfScim(page) ? page.Resources : Object.values(page).find(Array.isArray);
    yield* items as ItemOf<Path>[];
    position = nextPage(page);
  }
}
