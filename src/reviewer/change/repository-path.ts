import { isUnstorable } from '../../lib/wire/unstorable-text.ts';

/** The limit of Linux (PATH_MAX). */
const maxPathLength = 4096;

/** Whether this is a valid path of a file in a repository: relative, without `.` and `..`. */
export function isRepositoryPath(path: string): boolean {
  if (path.length > maxPathLength || isUnstorable(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
