import type { ForgeRepository, ForgeUser } from '../forge/forge-data.ts';
import type { DoubleAnswer } from '../host-double.ts';
import type { GiteaDouble } from './gitea-double.ts';

export const notFound: DoubleAnswer = {
  status: 404,
  json: { message: "The target couldn't be found.", url: 'http://gitea/api/swagger', errors: [] },
};

export function pageOf(
  double: GiteaDouble,
  query: URLSearchParams,
  items: readonly unknown[],
  total = items.length,
): DoubleAnswer {
  const limit = Math.min(Number(query.get('limit') ?? 30), double.maxPageSize);
  const start = (Math.max(1, Number(query.get('page') ?? 1)) - 1) * limit;
  return {
    status: 200,
    headers: { 'x-total-count': String(total) },
    json: items.slice(start, start + limit),
  };
}

export function canRead(repository: ForgeRepository, reader: ForgeUser): boolean {
  return (
    !repository.isPrivate ||
    repository.organization.owners.has(reader.id) ||
    repository.readers.has(reader.id)
  );
}
