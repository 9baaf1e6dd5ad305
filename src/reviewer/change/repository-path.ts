import { isUnstorable } from '../../lib/wire/unstorable-text.ts';

/** As long as Linux allows. */
const maxPathLength = 4096;

/** Whether this can be the path of a file in a repository: relative, and with no step out of it. */
export function isRepositoryPath(path: string): boolean {
  if (path.length > maxPathLength || isUnstorable(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
