import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { printNote } from '../../src/cli/output.ts';

const run = promisify(execFile);

/** The ways in which the peers build a page of 1000 entries, and by which factor we want to be faster. */
export const peerPages = [
  { name: 'text ready in the row, Fastify and `pg`', path: '/text', goal: 1.8 },
  { name: 'plain tables and JSON made by SQL, Fastify and `pg`', path: '/sql-json', goal: 4 },
  { name: 'plain tables, parsed and stringified, Fastify and `pg`', path: '/plain', goal: 6 },
] as const;

/** The peers, installed in a temporary folder. */
export interface Peers {
  readonly server: string;
  /** The search for Learnings with pgvector. */
  readonly vectorSearch: string;
  remove(): Promise<void>;
}

/** Installs the peers; undefined, with a printed note, if that fails, for example without a network. */
export async function installPeers(): Promise<Peers | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-peers-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    for (const file of ['package.json', 'server.js', 'vector-search.js'])
      await cp(path.join(import.meta.dirname, file), path.join(folder, file));
    printNote('Installing the peers');
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      timeout: 5 * 60_000,
    });
    return {
      server: path.join(folder, 'server.js'),
      vectorSearch: path.join(folder, 'vector-search.js'),
      remove,
    };
  } catch (error) {
    await remove();
    printNote(`The peers could not be installed: ${(error as Error).message.split('\n', 1)[0]}`);
    return undefined;
  }
}
