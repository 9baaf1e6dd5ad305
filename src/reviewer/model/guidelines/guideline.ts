import { globMatcher } from '../../../lib/patterns/glob.ts';

/** A file of the base in which maintainers tell those who work on the code what they expect. */
export interface Guideline {
  readonly path: string;
  /** It holds for what is below this folder; the root is empty. */
  readonly folder: string;
  /** And only for files that match one of these, from that folder or from the root; null: for all. */
  readonly globs: readonly string[] | null;
  /** Without credentials. */
  readonly text: string;
}

/** A test whether the guideline holds for a file. */
export function holdsFor({ folder, globs }: Pick<Guideline, 'folder' | 'globs'>): (path: string) => boolean {
  const below = folder === '' ? '' : `${folder}/`;
  const matches = globs === null ? () => true : globMatcher(globs.map(plain), { dot: true });
  return (path) => path.startsWith(below) && (matches(path) || matches(path.slice(below.length)));
}

const plain = (glob: string) => glob.replace(/^\.?\//, '').replace(/\/$/, '/**');

/** How near a guideline is to the files that it holds for. */
export function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}
