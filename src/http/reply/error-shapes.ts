import type { Endpoint } from '../endpoint.ts';

export type ErrorShape = NonNullable<Endpoint['errorBody']>;

/** A pattern for every address of a path with `{name}` in it. */
export function pathMatcher(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** Tells in which shape errors are sent at an address, also where a request never gets as far as its endpoint. */
export function errorShapes(endpoints: readonly Endpoint[]): (url: string) => ErrorShape {
  const withLists = endpoints.filter(({ errorBody }) => errorBody === 'errors');
  const matchers = [...new Set(withLists.map(({ path }) => path))].map(pathMatcher);
  return (url) => {
    const [path = ''] = url.split('?', 1);
    return matchers.some((matcher) => matcher.test(path)) ? 'errors' : 'error';
  };
}
