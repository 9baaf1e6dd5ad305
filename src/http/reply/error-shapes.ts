import type { Endpoint } from '../endpoint.ts';

export type ErrorShape = NonNullable<Endpoint['errorBody']>;

/** A pattern that matches every URL path of a path template such as `/v1/roles/{id}`. */
export function pathMatcher(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** The shape of errors at a URL, even if a request never reaches its endpoint. */
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
