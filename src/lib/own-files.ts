import { enableCompileCache, getCompileCacheDir } from 'node:module';
import path from 'node:path';

/** Whether this is the installed package, whose modules are compiled JavaScript, rather than a checkout. */
export const isPackaged = path.extname(import.meta.url) === '.js';

/** The commands to run Postil at a terminal, and to start the server, depending on how it was installed. */
export const postilCommand = isPackaged ? 'npx postil' : 'npm run -s postil --';
export const startCommand = isPackaged ? 'npx postil start' : 'npm start';

/**
 * The URL of a module in the caller's folder that is started by its file name, such as a worker. Its extension is that of the
 * caller: `.ts` in a checkout, `.js` in the package.
 */
export function siblingModule(name: string, caller: string): URL {
  return new URL(`./${name}${path.extname(caller)}`, caller);
}

/**
 * Caches the code that Node compiles for the next start, since compiling is half the cost of loading it. Modules that were
 * loaded before this call are not cached, so all others must be imported afterwards. If the folder is not writable, nothing is
 * cached.
 */
export function keepCompiledCode(): void {
  enableCompileCache(path.join(import.meta.dirname, '../../node_modules/.cache/postil'));
}

/**
 * Environment variables for our own child processes, so that they use the cache from the start. A process could enable it
 * itself only after its first module was compiled, and in a checkout after the type-stripping compiler was loaded for that.
 */
export function compiledCodeEnvironment(): { readonly NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  // The parent folder, because Node adds a folder for its own version.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(folder) };
}
