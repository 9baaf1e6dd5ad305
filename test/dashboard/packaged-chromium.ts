import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { removeFolder } from '../remove-folder.ts';

const root = path.join(import.meta.dirname, '../..');
const cache = path.join(root, 'node_modules/.cache/postil-chromium');
const unpack =
  "const { default: packaged } = await import('@sparticuz/chromium'); await packaged.executablePath();";

/**
 * The Chromium of an npm package, unpacked once for all runs: it has 200 MB and takes seconds of processor time. It is moved to
 * its final path only when complete, since several test processes may look for it at the same time.
 */
export async function packagedChromium(): Promise<string> {
  const about = readFileSync(path.join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8');
  const { version } = JSON.parse(about) as { version: string };
  const folder = path.join(cache, version);
  const program = path.join(folder, 'chromium');
  if (existsSync(program)) return program;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(path.join(cache, 'new-'));
  try {
    // The package unpacks into the folder for temporary files.
    const options = { cwd: root, env: { ...process.env, TMPDIR: fresh } };
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpack], options);
    await rename(fresh, folder);
  } catch (error) {
    await removeFolder(fresh);
    // Another process has unpacked it first.
    if (!existsSync(program)) throw error;
  }
  return program;
}
