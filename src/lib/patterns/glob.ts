import { createRequire } from 'node:module';
import type Picomatch from 'picomatch';
import { linearTest } from './linear-pattern.ts';
import { UnsupportedPattern } from './pattern-syntax.ts';

/** Loaded with the first glob, which a server that starts does not need. */
const require = createRequire(import.meta.url);
const picomatch = (): typeof Picomatch => require('picomatch');

/** More than people write. Each star makes matching slower, and picomatch takes long to read many groups. */
const maxWildcards = 20;
const tooMany = `must not have more than ${maxWildcards} wildcards`;
const countOf = (glob: string, wildcards: RegExp) => glob.match(wildcards)?.length ?? 0;

export interface GlobOptions {
  /** Whether a wildcard matches names that begin with a dot. */
  readonly dot?: boolean;
}

/** What picomatch makes of a glob, matched in linear time: its own regular expressions can take years. */
function globTest(glob: string, { dot = false }: GlobOptions): (text: string) => boolean {
  if (glob === '') return () => false;
  if (countOf(glob, /\(/g) > maxWildcards) throw new UnsupportedPattern(tooMany);
  const matches = linearTest(picomatch().makeRe(glob, { dot }).source);
  return (text) => text === glob || matches(text);
}

/** Whether a text, such as a path, matches one of the globs; one that cannot be matched in linear time matches only itself. */
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

/** What is wrong with a glob that somebody gives us. */
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
