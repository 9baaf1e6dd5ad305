import { globMatcher } from '../../lib/patterns/glob.ts';

export type PathVerdict = 'included' | 'excluded' | 'unmentioned';

const matches = (globs: readonly string[]) =>
  globMatcher(
    globs.map((glob) => glob.replace(/^\.?\//, '').replace(/\/$/, '/**')),
    { dot: true },
  );

/**
 * `path_filters` as a function. `!glob` excludes and takes precedence. A glob without `!` includes, even files that are
 * otherwise left out, such as generated ones. If any glob includes, all other files are excluded.
 */
export function pathFilter(filters: readonly string[]): (path: string) => PathVerdict {
  const excludes = matches(
    filters.filter((filter) => filter.startsWith('!')).map((filter) => filter.slice(1)),
  );
  const included = filters.filter((filter) => !filter.startsWith('!'));
  const includes = matches(included);
  return (path) => {
    if (excludes(path)) return 'excluded';
    if (includes(path)) return 'included';
    return included.length > 0 ? 'excluded' : 'unmentioned';
  };
}
