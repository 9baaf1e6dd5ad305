import { enableCompileCache, getCompileCacheDir } from 'node:module';
import path from 'node:path';

/** Whether this is the installed package, whose modules are compiled JavaScript, rather than a checkout. */
export const isPackaged = path.extname(import.meta.url) === '.js';

/** How somebody at a terminal runs a command of Postil, and starts the server, the way it was installed. */
export const postilCommand = isPackaged ? 'npx postil' : 'npm run -s postil --';
export const startCommand = isPackaged ? 'npx postil start' : 'npm start';

/**
 * A module beside the caller that is started by its file name, such as a worker. Its file ends as the caller's own does:
 * `.ts` in a checkout, `.js` in the package.
 */
export function siblingModule(name: string, caller: string): URL {
  return new URL(`./${name}${path.extname(caller)}`, caller);
}

/**
 * Keeps what Node compiles for the next start, since compiling is half of what loading everything costs. What is loaded before
 * this call is not kept, so the rest must be imported afterwards. Where the folder cannot be written, nothing is kept.
 */
export function keepCompiledCode(): void {
  enableCompileCache(path.join(import.meta.dirname, '../../node_modules/.cache/postil'));
}

/**
 * What a program of ours gets in its environment to begin with what was kept: it can ask for that itself only after its first
 * module was compiled, and in a checkout the compiler of types was loaded for it.
 */
export function compiledCodeEnvironment(): { readonly NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  // Node adds a folder for its own version.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(folder) };
}
