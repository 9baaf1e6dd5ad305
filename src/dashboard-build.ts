import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isPackaged } from './lib/own-files.ts';

const root = path.dirname(import.meta.dirname);
const folder = path.join(root, 'dashboard');

/** Where the built dashboard is. */
export const distFolder = path.join(folder, 'dist');
/** Contains the hash of the sources that the dashboard was built from. */
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

/** A hash of everything that the dashboard is built from. */
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

/** Whether the dashboard was built from the current sources. */
export async function isDashboardBuilt(): Promise<boolean> {
  const built = await readFile(path.join(distFolder, hashFile), 'utf8').catch(() => undefined);
  return built === (await hashSources());
}

/** Builds the dashboard in a separate process if needed, so that the API does not have to wait for it. */
export async function buildDashboardInBackground(onFailure: (message: string) => void): Promise<() => void> {
  // The package brings it built, without its sources.
  if (isPackaged || (await isDashboardBuilt())) return () => {};
  const child: ChildProcess = spawn(process.execPath, [path.join(folder, 'build.ts')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let isWanted = true;
  let output = '';
  child.stderr?.on('data', (chunk) => {
    output = (output + chunk).slice(-2000);
  });
  child.on('error', (error) => onFailure(error.message));
  child.on('exit', (code) => {
    if (code !== 0 && isWanted) onFailure(output.trim() || `the build exited with ${code}`);
  });
  const stop = () => {
    process.off('exit', stop);
    isWanted = false;
    child.kill();
  };
  process.on('exit', stop);
  return stop;
}
