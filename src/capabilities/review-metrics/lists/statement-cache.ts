import type { MetricList } from './list-definitions.ts';

const statements = new WeakMap<MetricList, Map<string, string>>();
const maxStatementsPerList = 400;

/** The text of a list's statement by its name. Texts are long, and the same for nearly all pages, so they are made once. */
export function cachedStatement(list: MetricList, name: string, make: () => string): string {
  const cache = statements.get(list) ?? new Map<string, string>();
  statements.set(list, cache);
  const cached = cache.get(name);
  if (cached !== undefined) return cached;
  if (cache.size >= maxStatementsPerList) cache.clear();
  const statement = make();
  cache.set(name, statement);
  return statement;
}
