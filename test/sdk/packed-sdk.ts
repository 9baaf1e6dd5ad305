import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '../..');
export const sdkFolder = path.join(root, 'sdk', 'typescript');

export type Sdk = typeof import('../../sdk/typescript/src/index.ts');

/** Packs the SDK with npm, and returns the path of the package. */
export async function packSdk(destination: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', destination], {
    cwd: sdkFolder,
  });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
  return path.join(destination, filename);
}

/** Really unpacks the package; its two dependencies are linked, so that no registry is needed. */
export async function unpackBesideLinks(file: string, folder: string): Promise<void> {
  const modules = path.join(folder, 'node_modules');
  await mkdir(path.join(modules, 'postil-sdk'), { recursive: true });
  await run('tar', ['-xzf', file, '-C', path.join(modules, 'postil-sdk'), '--strip-components=1']);
  for (const name of ['openapi-fetch', 'standardwebhooks'])
    await symlink(path.join(root, 'node_modules', name), path.join(modules, name));
}
