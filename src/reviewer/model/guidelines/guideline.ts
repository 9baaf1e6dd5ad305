import { globMatcher } from '../../../lib/patterns/glob.ts';

/** A file of the base with the maintainers' guidelines for changes of the code. */
export interface Guideline {
  readonly path: string;
  /** It applies to files below this folder; empty for the root. */
  readonly folder: string;
  /** It applies only to files that match one of these, relative to that folder or to the root; null for all. */
  readonly globs: readonly string[] | null;
  /** Without credentials. */
  readonly text: string;
}

/** Returns a test whether the guideline applies to a file. */
export function holdsFor({ folder, globs }: Pick<Guideline, 'folder' | 'globs'>): (path: string) => boolean {
  const below = folder === '' ? '' : `${folder}/`;
  const matches = globs === null ? () => true : globMatcher(globs.map(plain), { dot: true });
  return (path) => path.startsWith(below) && (matches(path) || matches(path.slice(below.length)));
}

const plain = (glob: string) => glob.replace(/^\.?\//, '').replace(/\/$/, '/**');

/** The depth of a folder; a guideline in a deeper one is nearer to the files that it applies to. */
export function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}
