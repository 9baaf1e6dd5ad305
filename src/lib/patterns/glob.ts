import { createRequire } from 'node:module';
import type Picomatch from 'picomatch';
import { linearTest } from './linear-pattern.ts';
import { UnsupportedPattern } from './pattern-syntax.ts';

/** Loaded on first use, since a starting server does not need it. */
const require = createRequire(import.meta.url);
const picomatch = (): typeof Picomatch => require('picomatch');

/** More than people write. Each star slows down matching, and picomatch is slow to parse many groups. */
const maxWildcards = 20;
const tooMany = `must not have more than ${maxWildcards} wildcards`;
const countOf = (glob: string, wildcards: RegExp) => glob.match(wildcards)?.length ?? 0;

export interface GlobOptions {
  /** Whether a wildcard matches names that begin with a dot. */
  readonly dot?: boolean;
}

/** Matches a glob in linear time: picomatch's translation, but not as a regular expression, which could take years. */
function globTest(glob: string, { dot = false }: GlobOptions): (text: string) => boolean {
  if (glob === '') return () => false;
  if (countOf(glob, /\(/g) > maxWildcards) throw new UnsupportedPattern(tooMany);
  const matches = linearTest(picomatch().makeRe(glob, { dot }).source);
  return (text) => text === glob || matches(text);
}

/**
 * Whether a text, such as a path, matches one of the globs. A glob that cannot be matched in linear time matches only its own
 * text.
 */
export function globMatcher(globs: readonly string[], options: GlobOptions = {}): (text: string) => boolean {
  const tests = globs.map((glob) => {
    try {
      return globTest(glob, options);
    } catch (error) {
      if (!(error instanceof UnsupportedPattern)) throw error;
      return (text: string) => text === glob;
    }
  });
  return (text) => text !== '' && tests.some((test) => test(text));
}

/** What is wrong with a glob of a user; undefined if nothing is. */
export function faultOfGlob(glob: string): string | undefined {
  if (countOf(glob, /\*+|\(/g) > maxWildcards) return tooMany;
  try {
    globTest(glob, {});
    return undefined;
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error;
    return error.message;
  }
}
