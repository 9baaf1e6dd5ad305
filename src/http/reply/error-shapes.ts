import type { Endpoint } from '../endpoint.ts';
import { pathMatcher } from '../path-templates.ts';

export type ErrorShape = NonNullable<Endpoint['errorBody']>;

/** Returns the shape of errors for a URL, even if a request never reaches its endpoint. */
export function errorShapes(endpoints: readonly Endpoint[]): (url: string) => ErrorShape {
  const shapeOfPath = new Map(endpoints.map(({ path, errorBody = 'error' }) => [path, errorBody]));
  const matchers = [...shapeOfPath]
    .filter(([, shape]) => shape !== 'error')
    .map(([path, shape]) => ({ pattern: pathMatcher(path), shape }));
  return (url) => {
    const [path = ''] = url.split('?', 1);
    return matchers.find(({ pattern }) => pattern.test(path))?.shape ?? 'error';
  };
}
