import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { findFile, readMetadata } from './metadata-files.ts';
import { GitError, type GitSettings, runGit } from './run-git.ts';

/** The location of a repository, found without Git, because the repository's own configuration would decide its answer. */
export interface LocatedRepository {
  /** The folder of the working copy; null for a bare repository. */
  readonly root: string | null;
  /** The Git folder of this working copy. */
  readonly gitFolder: string;
  /** The Git folder that all its working copies share. */
  readonly common: string;
  /** The repository's configuration, as data: none of it is in effect. */
  readonly configured: ReadonlyMap<string, string>;
}

/** Finds the repository that contains the folder; throws a `GitError` if there is none that can be trusted. */
export async function locateRepository(folder: string, settings: GitSettings): Promise<LocatedRepository> {
  const { root, gitFolder, isElsewhere } = await findGitFolder(await realpath(folder));
  const common = await findCommon(gitFolder);
  const configured = await readConfiguration(gitFolder, common, settings);
  const isBare = isTrue(configured.get('core.bare')) && common === gitFolder && !isElsewhere;
  if (isBare) return { root: null, gitFolder, common, configured };
  if (root === null) throw new GitError('failed', 'this is inside a Git folder, not a working copy');
  const named = configured.get('core.worktree');
  const isNamed = named !== undefined && (await isSame(path.resolve(gitFolder, named), root));
  if (named !== undefined && !isNamed)
    throw new GitError(
      'failed',
      `core.worktree names another working copy than ${root}, which is not followed`,
    );
  if (isElsewhere && !isNamed && !(await isLinked(gitFolder, root)))
    throw new GitError(
      'failed',
      `the Git folder ${gitFolder} does not name ${root} as its working copy (for a linked one that was moved: git worktree repair)`,
    );
  return { root, gitFolder, common, configured };
}

interface GitFolder {
  readonly root: string | null;
  readonly gitFolder: string;
  /** It is not the folder `.git` in the working copy. */
  readonly isElsewhere: boolean;
}

async function findGitFolder(start: string): Promise<GitFolder> {
  for (let at = start; ; at = path.dirname(at)) {
    const found = await gitFolderAt(at);
    if (found !== undefined) return found;
    if (path.dirname(at) === at) throw new GitError('failed', 'not a git repository');
  }
}

async function gitFolderAt(at: string): Promise<GitFolder | undefined> {
  const dotGit = path.join(at, '.git');
  const found = await findFile(dotGit);
  if (found?.isFile()) {
    const target = /^gitdir: (.+?)\r?\n?$/.exec((await readMetadata(at, '.git')) ?? '')?.[1];
    const gitFolder = path.resolve(at, target ?? '');
    if (target === undefined || !(await isGitFolder(gitFolder)))
      throw new GitError('failed', `not a git repository: ${dotGit} names no Git folder`);
    return { root: at, gitFolder: await realpath(gitFolder), isElsewhere: true };
  }
  if (await isGitFolder(dotGit)) {
    const gitFolder = await realpath(dotGit);
    return { root: at, gitFolder, isElsewhere: gitFolder !== dotGit };
  }
  return (await isGitFolder(at)) ? { root: null, gitFolder: at, isElsewhere: false } : undefined;
}

async function isGitFolder(folder: string): Promise<boolean> {
  const names = ['HEAD', 'objects', 'refs', 'commondir'].map((name) => findFile(path.join(folder, name)));
  const [head, objects, refs, commondir] = await Promise.all(names);
  return (
    head !== undefined && (commondir !== undefined || (!!objects?.isDirectory() && !!refs?.isDirectory()))
  );
}

/** The common Git folder. That of a linked working copy is inside it; any other that claims to be linked is refused. */
async function findCommon(gitFolder: string): Promise<string> {
  const given = (await readMetadata(gitFolder, 'commondir'))?.trim();
  if (given === undefined) return gitFolder;
  const common = await realpath(path.resolve(gitFolder, given)).catch(() => '');
  if (path.dirname(gitFolder) !== path.join(common, 'worktrees'))
    throw new GitError('failed', `${gitFolder} claims to be a part of ${given}, which is not followed`);
  return common;
}

/** Whether the Git folder names this working copy, as that of a linked one does. */
async function isLinked(gitFolder: string, root: string): Promise<boolean> {
  const given = (await readMetadata(gitFolder, 'gitdir'))?.trim();
  return given !== undefined && isSame(path.dirname(path.resolve(gitFolder, given)), root);
}

async function isSame(one: string, other: string): Promise<boolean> {
  return (await realpath(one).catch(() => undefined)) === other;
}

async function readConfiguration(gitFolder: string, common: string, settings: GitSettings) {
  const configured = new Map(await readConfigurationFile(common, 'config', settings));
  if (!isTrue(configured.get('extensions.worktreeconfig'))) return configured;
  return new Map([...configured, ...(await readConfigurationFile(gitFolder, 'config.worktree', settings))]);
}

/** A cache of parsed configurations, by text: most repositories are opened repeatedly, or have equal configurations. */
const listed = new Map<string, readonly [string, string][]>();
const maxListed = 100;
const maxListedLength = 65_536;

/** The settings in the file itself, without those in files that it includes. */
async function readConfigurationFile(
  folder: string,
  name: 'config' | 'config.worktree',
  settings: GitSettings,
): Promise<readonly [string, string][]> {
  const text = await readMetadata(folder, name);
  if (text === undefined) return [];
  const key = `${settings.searchPath ?? ''}\0${text}`;
  const known = listed.get(key);
  if (known !== undefined) return known;
  const settled = await listSettings(text, settings).catch((error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    const message = error.message.replace('standard input', path.join(folder, name));
    throw new GitError(error.fault, message);
  });
  if (listed.size >= maxListed) listed.clear();
  if (text.length <= maxListedLength) listed.set(key, settled);
  return settled;
}

/** The settings in a text, parsed by Git itself, which knows the syntax. A setting without a value is true. */
async function listSettings(text: string, settings: GitSettings): Promise<[string, string][]> {
  const call = { ...settings, folder: '/' };
  const answer = await runGit(['config', '--file', '-', '--no-includes', '--null', '--list'], call, text);
  return answer
    .toString()
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [key = '', ...value] = line.split('\n');
      return [key, value.length === 0 ? 'true' : value.join('\n')];
    });
}

/** Whether Git treats the value as true. */
export function isTrue(value: string | undefined): boolean {
  return /^(true|yes|on|1)$/i.test(value ?? '');
}
