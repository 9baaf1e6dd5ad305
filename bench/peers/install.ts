import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { printNote } from '../../src/cli/output.ts';

const run = promisify(execFile);

/** The peers, installed in a temporary folder. */
export interface Peers {
  readonly server: string;
  remove(): Promise<void>;
}

/** Installs the peers; undefined, with a note, where that is not possible, such as without a network. */
export async function installPeers(): Promise<Peers | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-peers-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    for (const file of ['package.json', 'server.js'])
      await cp(path.join(import.meta.dirname, file), path.join(folder, file));
    printNote('Installing the peers');
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      timeout: 5 * 60_000,
    });
    return { server: path.join(folder, 'server.js'), remove };
  } catch (error) {
    await remove();
    printNote(`The peers could not be installed: ${(error as Error).message.split('\n', 1)[0]}`);
    return undefined;
  }
}
