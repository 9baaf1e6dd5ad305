import { enableCompileCache } from 'node:module';
import path from 'node:path';

/**
 * Keeps what Node compiles for the next start, since compiling is half of what loading everything costs. What is loaded before
 * this call is not kept, so the rest must be imported afterwards. Where the folder cannot be written, nothing is kept.
 */
export function keepCompiledCode(): void {
  enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/postil'));
}
