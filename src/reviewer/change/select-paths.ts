import { globMatcher } from '../../lib/patterns/glob.ts';

/** A test on paths of a repository: a file, a folder with all that is in it, or a glob; `.` is everything. */
export function pathTest(wanted: string): (path: string) => boolean {
  if (wanted === '.') return () => true;
  const isMatch = globMatcher([wanted], { dot: true });
  return (path) => path === wanted || path.startsWith(`${wanted}/`) || isMatch(path);
}
