import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { locateRepository } from './locate-repository.ts';
import { checkMetadata, findFile } from './metadata-files.ts';
import type { GitCall, GitSettings } from './run-git.ts';

/**
 * A Git repository that is only read, through a Git folder of our own that shares its objects and refs. So its configuration
 * has no effect: no file system monitor, hook, external diff, text conversion, filter, or remote to fetch missing objects
 * from (ADR 0082).
 */
export interface RepositoryPlace {
  /** The folder of the working copy; null for a bare repository. */
  readonly root: string | null;
  /** The settings of Git calls in it. */
  readonly call: GitCall;
}

export interface Repository extends RepositoryPlace {
  /** The email address of its user, if its own configuration has one. */
  readonly userEmail: string | undefined;
  /** Its owner at the host, from the URL of its remote `origin`. */
  readonly owner: string | undefined;
  close(): Promise<void>;
}

/** Settings for comparing a working copy, which execute nothing. */
const harmlessSettings = /^core\.(filemode|autocrlf|eol|symlinks|ignorecase|precomposeunicode|excludesfile)$/;

async function exists(file: string): Promise<boolean> {
  return (await findFile(file)) !== undefined;
}

const maxExcludesBytes = 4 * 1024 * 1024;

/** The settings that are kept. A pattern file is kept only if it is a regular, small file. */
async function harmlessOf(configured: ReadonlyMap<string, string>): Promise<[string, string][]> {
  const harmless = [...configured].filter(([name]) => harmlessSettings.test(name));
  const excludes = await findFile(configured.get('core.excludesfile') ?? '');
  const isPlain = excludes?.isFile() === true && excludes.size <= maxExcludesBytes;
  return harmless.filter(([name]) => name !== 'core.excludesfile' || isPlain);
}

/** Fills a Git folder that shares the objects, refs and index of another, and nothing else of it. */
async function fillOwnFolder(
  own: string,
  from: { gitFolder: string; common: string; format: 'sha1' | 'sha256'; isBare: boolean },
) {
  const { gitFolder, common, format, isBare } = from;
  const hasRefTable = await exists(path.join(common, 'reftable'));
  const extensions = [
    ...(format === 'sha1' ? [] : [`objectFormat = ${format}`]),
    ...(hasRefTable ? ['refStorage = reftable'] : []),
  ];
  await writeFile(
    path.join(own, 'config'),
    `[core]\nrepositoryformatversion = 1\nbare = ${isBare}\n[extensions]\n${extensions.join('\n')}\n`,
  );
  await mkdir(path.join(own, 'info'));
  const copies = [
    [path.join(gitFolder, 'HEAD'), 'HEAD'],
    [path.join(common, 'packed-refs'), 'packed-refs'],
    [path.join(common, 'shallow'), 'shallow'],
    [path.join(common, 'info', 'exclude'), path.join('info', 'exclude')],
  ] as const;
  for (const [source, target] of copies)
    if (await exists(source)) await copyFile(source, path.join(own, target));
  const links = ['refs', 'reftable'].map((name) => path.join(common, name));
  const indexes = (await readdir(gitFolder)).filter((name) => name.startsWith('sharedindex.'));
  links.push(...indexes.map((name) => path.join(gitFolder, name)));
  for (const link of links) if (await exists(link)) await symlink(link, path.join(own, path.basename(link)));
}

/** Opens the repository that contains the folder; throws a `GitError` if there is none. */
export async function openRepository(folder: string, settings: GitSettings): Promise<Repository> {
  const { root, gitFolder, common, configured } = await locateRepository(folder, settings);
  await checkMetadata({ gitFolder, common });
  const comparing = await harmlessOf(configured);
  const own = await mkdtemp(path.join(tmpdir(), 'postil-git-'));
  const close = () => rm(own, { recursive: true, force: true });
  try {
    const format = configured.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1';
    await fillOwnFolder(own, { gitFolder, common, format, isBare: root === null });
  } catch (error) {
    await close();
    throw error;
  }
  const names = comparing.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  const variables = {
    GIT_DIR: own,
    GIT_OBJECT_DIRECTORY: path.join(common, 'objects'),
    GIT_INDEX_FILE: path.join(gitFolder, 'index'),
    GIT_CONFIG_COUNT: String(comparing.length),
    ...Object.fromEntries(names),
    ...(root === null ? {} : { GIT_WORK_TREE: root }),
  };
  const call = { ...settings, folder: root ?? common, variables };
  const owner = ownerIn(configured.get('remote.origin.url') ?? '');
  return { root, userEmail: configured.get('user.email'), owner, call, close };
}

/** The owner in `https://host/owner/name.git` or `git@host:owner/name`; of nested groups, the outermost. */
export function ownerIn(address: string): string | undefined {
  const path =
    /^[a-z][a-z\d+.-]*:\/\/[^/]+\/(.+)$/i.exec(address)?.[1] ?? /^[^/]+@[^/:]+:(.+)$/.exec(address)?.[1];
  const parts = path?.split('/').filter((part) => part !== '') ?? [];
  return parts.length > 1 ? parts[0] : undefined;
}

/** The place of a repository as plain data, for another process. Only the one that opened it closes it. */
export function placeOf({ root, call: { signal: _, ...call } }: Repository): RepositoryPlace {
  return { root, call };
}
