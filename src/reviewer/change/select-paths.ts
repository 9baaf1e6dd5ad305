import { globMatcher } from '../../lib/patterns/glob.ts';

/** Returns a test for paths that match a file, a folder with everything in it, or a glob; `.` matches every path. */
export function pathTest(wanted: string): (path: string) => boolean {
  if (wanted === '.') return () => true;
  const isMatch = globMatcher([wanted], { dot: true });
  return (path) => path === wanted || path.startsWith(`${wanted}/`) || isMatch(path);
}
