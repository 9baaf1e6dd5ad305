import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isPackaged } from './lib/own-files.ts';

const root = path.dirname(import.meta.dirname);
const folder = path.join(root, 'dashboard');

/** The folder of the built dashboard. */
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

/** A hash of all files that the dashboard is built from. */
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

/** Whether there is a built dashboard, possibly of older sources. A cheap check that can be synchronous. */
export function hasDashboard(): boolean {
  return existsSync(path.join(distFolder, 'index.html'));
}

/**
 * Builds the dashboard in a separate process if needed. Neither the API nor the start of the server waits for it, nor for the
 * comparison with the sources. Returns a function that stops the build.
 */
export function buildDashboardInBackground(onFailure: (message: string) => void): () => void {
  // The package contains the built dashboard, without its sources.
  if (isPackaged) return () => {};
  let child: ChildProcess | undefined;
  let isWanted = true;
  const stop = () => {
    process.off('exit', stop);
    isWanted = false;
    child?.kill();
  };
  process.on('exit', stop);
  isDashboardBuilt().then(
    (isBuilt) => {
      if (isWanted && !isBuilt) child = spawnBuild((message) => isWanted && onFailure(message));
    },
    (error: Error) => onFailure(error.message),
  );
  return stop;
}

function spawnBuild(onFailure: (message: string) => void): ChildProcess {
  const child = spawn(process.execPath, [path.join(folder, 'build.ts')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output = (output + chunk).slice(-2000);
  });
  child.on('error', (error) => onFailure(error.message));
  child.on('exit', (code) => {
    if (code !== 0) onFailure(output.trim() || `the build exited with ${code}`);
  });
  return child;
}
