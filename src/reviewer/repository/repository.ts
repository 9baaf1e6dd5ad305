import { access, copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type GitCall, GitError, type GitSettings, runGit } from './run-git.ts';

/**
 * A Git repository that is only read, through a Git folder of our own that shares its objects and refs. So no line of
 * its configuration is in force: no file system monitor, hook, external diff, text conversion, filter, or remote to
 * fetch missing objects from (ADR 0082).
 */
export interface RepositoryPlace {
  /** The folder of the working copy; null for a bare repository. */
  readonly root: string | null;
  /** How Git is called in it. */
  readonly call: GitCall;
}

export interface Repository extends RepositoryPlace {
  close(): Promise<void>;
}

/** Says how the working copy is to be compared, and executes nothing. */
const harmlessSettings = /^core\.(filemode|autocrlf|eol|symlinks|ignorecase|precomposeunicode|excludesfile)$/;

/** The answers to these questions, in their order. Only the last may be a path: paths can have several lines. */
async function askLocation(folder: string, settings: GitSettings, questions: string[]): Promise<string[]> {
  const given = ['rev-parse', '--path-format=absolute', ...questions];
  const answer = await runGit(given, { ...settings, folder });
  const lines = answer.toString().replace(/\n$/, '').split('\n');
  const last = questions.length - 1;
  return [...lines.slice(0, last), lines.slice(last).join('\n')];
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function readHarmlessSettings(folder: string, settings: GitSettings): Promise<[string, string][]> {
  const given = await runGit(['config', '--null', '--list'], { ...settings, folder });
  return given
    .toString()
    .split('\0')
    .map((line): [string, string] => {
      const [name = '', ...value] = line.split('\n');
      return [name, value.join('\n')];
    })
    .filter(([name]) => harmlessSettings.test(name));
}

/** Makes a Git folder that knows the objects, refs and index of another, and nothing else of it. */
async function fillOwnFolder(
  own: string,
  from: { gitFolder: string; common: string; format: string; isBare: boolean },
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

/** Opens the repository that the folder belongs to; fails with a GitError where there is none. */
export async function openRepository(folder: string, settings: GitSettings): Promise<Repository> {
  const ask = (...questions: string[]) => askLocation(folder, settings, questions);
  const [[format, isBare, isInside, gitFolder], [common]] = await Promise.all([
    ask('--show-object-format', '--is-bare-repository', '--is-inside-git-dir', '--absolute-git-dir'),
    ask('--git-common-dir'),
  ]);
  if (isBare !== 'true' && isInside === 'true')
    throw new GitError('failed', 'this is inside a Git folder, not a working copy');
  const root = isBare === 'true' ? null : (await ask('--show-toplevel'))[0]!;
  const comparing = await readHarmlessSettings(folder, settings);
  const own = await mkdtemp(path.join(tmpdir(), 'postil-git-'));
  const close = () => rm(own, { recursive: true, force: true });
  try {
    await fillOwnFolder(own, {
      gitFolder: gitFolder!,
      common: common!,
      format: format!,
      isBare: root === null,
    });
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
    GIT_OBJECT_DIRECTORY: path.join(common!, 'objects'),
    GIT_INDEX_FILE: path.join(gitFolder!, 'index'),
    GIT_CONFIG_COUNT: String(comparing.length),
    ...Object.fromEntries(names),
    ...(root === null ? {} : { GIT_WORK_TREE: root }),
  };
  return { root, call: { ...settings, folder: root ?? common!, variables }, close };
}

/** Where the repository is, as plain data for another process; who opened it closes it. */
export function placeOf({ root, call: { signal: _, ...call } }: Repository): RepositoryPlace {
  return { root, call };
}
