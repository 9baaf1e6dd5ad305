import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { removeFolder } from '../remove-folder.ts';

const run = promisify(execFile);

/** The paths of the programs of a cluster, and their environment variables. */
export interface Programs {
  readonly etcd: string;
  readonly patroni: string;
  readonly haproxy: string;
  readonly pgbouncer: string;
  /** The folder of initdb, postgres, pg_basebackup and pg_rewind. */
  readonly postgres: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Thrown with the reason why no cluster can run on this machine. */
export class CannotRun extends Error {}

const packages = ['patroni', 'etcd-server', 'haproxy', 'pgbouncer', 'postgresql-15'];
const folder = path.join(import.meta.dirname, '../../node_modules/.cache/postil-failover');
const postgresFolder = 'usr/lib/postgresql/15/bin';

/** Downloads and unpacks the packages of Debian, with the dependencies that this machine lacks, into a separate folder. */
async function unpack(root: string, log: (line: string) => void): Promise<void> {
  if (existsSync(root)) return;
  log(`downloading ${packages.join(', ')} from the package source of this machine`);
  const under = `${root}.new`;
  await removeFolder(under);
  await mkdir(path.join(under, 'packages'), { recursive: true });
  const { stdout } = await run('apt-get', ['install', '--simulate', '--no-install-recommends', ...packages]);
  const missing = [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name!);
  if (missing.length > 0)
    await run('apt-get', ['download', ...missing], { cwd: path.join(under, 'packages') });
  for (const file of await readdir(path.join(under, 'packages')))
    await run('dpkg', ['-x', path.join(under, 'packages', file), under]);
  await rename(under, root);
}

/** Finds or downloads the programs of a cluster; throws CannotRun with the reason if that is not possible. */
export async function preparePrograms(log: (line: string) => void): Promise<Programs> {
  if (process.platform !== 'linux') throw new CannotRun('Patroni is taken from the packages of Debian');
  const root = path.join(folder, 'root');
  await unpack(root, log).catch((error: Error) => {
    const [reason] = error.message.split('\n').filter((line) => !line.startsWith('Command failed'));
    throw new CannotRun(`the packages of Debian 12 cannot be had here (${reason ?? error.message})`);
  });
  const find = (file: string) => {
    const found = [path.join(root, file), path.join('/', file)].find((candidate) => existsSync(candidate));
    if (found === undefined) throw new CannotRun(`there is no ${file} after unpacking`);
    return found;
  };
  const libraries = await readdir(path.join(root, 'usr/lib'));
  const triplet = libraries.find((name) => name.endsWith('-linux-gnu')) ?? '';
  return {
    etcd: find('usr/bin/etcd'),
    patroni: find('usr/bin/patroni'),
    haproxy: find('usr/sbin/haproxy'),
    pgbouncer: find('usr/sbin/pgbouncer'),
    postgres: path.dirname(find(path.join(postgresFolder, 'postgres'))),
    env: {
      PATH: `${process.env.PATH}`,
      LANG: 'C.UTF-8',
      LD_LIBRARY_PATH: path.join(root, 'usr/lib', triplet),
      PYTHONPATH: path.join(root, 'usr/lib/python3/dist-packages'),
    },
  };
}
