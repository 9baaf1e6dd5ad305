import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const folder = path.join(root, 'dashboard');

/** Where the built dashboard lies. */
export const distFolder = path.join(folder, 'dist');
/** Holds the hash of the sources that the built dashboard was made from. */
export const hashFile = 'source-hash';

async function sourceFiles(): Promise<string[]> {
  const entries = await readdir(path.join(folder, 'src'), { recursive: true, withFileTypes: true });
  const sources = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return [
    ...sources.sort(),
    path.join(folder, 'index.html'),
    path.join(folder, 'build.ts'),
    path.join(root, 'package-lock.json'),
  ];
}

/** A hash over everything the built dashboard is made from. */
export async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await sourceFiles()) {
    hash
      .update(path.relative(root, file))
      .update('\0')
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Tells whether the built dashboard is there and made from the sources as they are now. */
export async function isDashboardBuilt(): Promise<boolean> {
  const made = await readFile(path.join(distFolder, hashFile), 'utf8').catch(() => undefined);
  return made === (await hashSources());
}

/** Builds the dashboard in a process of its own where that is needed, so that the API need not wait for it. */
export async function buildDashboardInBackground(onFailure: (message: string) => void): Promise<() => void> {
  if (await isDashboardBuilt()) return () => {};
  const child: ChildProcess = spawn(process.execPath, [path.join(folder, 'build.ts')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let isWanted = true;
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said = (said + chunk).slice(-2000);
  });
  child.on('error', (error) => onFailure(error.message));
  child.on('exit', (code) => {
    if (code !== 0 && isWanted) onFailure(said.trim() || `the build ended with ${code}`);
  });
  const stop = () => {
    process.off('exit', stop);
    isWanted = false;
    child.kill();
  };
  process.on('exit', stop);
  return stop;
}
