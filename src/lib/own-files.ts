import path from 'node:path';

/** Whether this is the installed package, whose modules are compiled JavaScript, rather than a checkout. */
export const isPackaged = path.extname(import.meta.url) === '.js';

/**
 * A module beside the caller that is started by its file name, such as a worker. Its file ends as the caller's own does:
 * `.ts` in a checkout, `.js` in the package.
 */
export function siblingModule(name: string, caller: string): URL {
  return new URL(`./${name}${path.extname(caller)}`, caller);
}
