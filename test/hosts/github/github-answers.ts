import type { ForgeRepository, ForgeUser } from '../forge/forge-data.ts';
import type { DoubleAnswer, DoubleRequest } from '../host-double.ts';
import type { GitHubDouble } from './github-double.ts';

export const notFound: DoubleAnswer = {
  status: 404,
  json: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' },
};

/** Answers with one page of a list, and a link to the next. */
export function pageOf(
  double: GitHubDouble,
  path: string,
  { query }: DoubleRequest,
  items: readonly unknown[],
): DoubleAnswer {
  const size = Math.min(Number(query.get('per_page') ?? 30), double.maxPageSize);
  const number = Math.max(1, Number(query.get('page') ?? 1));
  const next = new URLSearchParams(query);
  next.set('page', String(number + 1));
  const link = `<${double.url}/api/v3${path}?${next}>; rel="next"`;
  return {
    status: 200,
    headers: {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '4999',
      ...(number * size < items.length && { link }),
    },
    json: items.slice((number - 1) * size, number * size),
  };
}

export function canRead({ isPrivate, organization, readers }: ForgeRepository, { id }: ForgeUser): boolean {
  return !isPrivate || organization.owners.has(id) || readers.has(id);
}
