import { access, realpath } from 'node:fs/promises';
import path from 'node:path';
import { globMatcher } from '../../lib/patterns/glob.ts';
import type { Change } from '../../reviewer/change/change.ts';
import { readChange } from '../../reviewer/change/read-change.ts';
import { loadConfiguration, postilFileNames } from '../../reviewer/configuration/load-configuration.ts';
import {
  type PostilFile,
  type ReviewConfiguration,
  resolveConfiguration,
} from '../../reviewer/configuration/review-configuration.ts';
import { chooseRevisions, findCommit, RevisionError } from '../../reviewer/repository/choose-revisions.ts';
import { listFilesAt, readFileAt } from '../../reviewer/repository/read-file-at.ts';
import { openRepository, type Repository } from '../../reviewer/repository/repository.ts';
import { GitError } from '../../reviewer/repository/run-git.ts';
import type { ModelReviewer } from '../../reviewer/review/model-reviewer.ts';
import { reviewChange } from '../../reviewer/review/review-change.ts';
import type { ReviewResult } from '../../reviewer/review/review-result.ts';
import { allRuleSources } from '../../reviewer/rules/all-sources.ts';
import { CommandError, usageExitCode } from '../command-error.ts';

export interface LocalReview {
  readonly folder: string;
  readonly searchPath: string | undefined;
  readonly base: string | undefined;
  readonly head: string | undefined;
  /** Folders, files or globs, relative to the folder; none means everything. */
  readonly paths: readonly string[];
  /** What a file named on the command line says, instead of the one in the base. */
  readonly configuration: PostilFile | undefined;
  readonly model?: ModelReviewer | undefined;
  onProgress(done: number, total: number): void;
}

export interface LocalResult {
  readonly result: ReviewResult;
  readonly configuration: ReviewConfiguration;
  readonly baseName: string;
  /** The new text of a file, to show lines of it. */
  readonly textOf: (path: string) => Promise<string | undefined>;
  close(): Promise<void>;
}

/** Reviews the changes of a working copy by rules, and by a model if there is one; needs neither a server nor a key. */
export async function reviewWorkingCopy(review: LocalReview): Promise<LocalResult> {
  const repository = await open(review);
  let change: Change | undefined;
  const close = async () => {
    await change?.close();
    await repository.close();
  };
  try {
    const revisions = await chooseRevisions(repository, review);
    const selected = await selectPaths(repository, review);
    const { configuration, notes } = await configure(repository, revisions.base, review);
    change = await readChange(repository, {
      ...revisions,
      isSelected: (name) => selected.some(({ matches }) => matches(name)),
    });
    await requireExisting(repository, revisions, { folder: review.folder, selected }, change);
    const result = await reviewChange({
      change,
      configuration,
      notes: [...notes, ...(await adviceOn(repository, change, review))],
      sources: allRuleSources(review),
      model: review.model,
      signal: new AbortController().signal,
      onProgress: review.onProgress,
    });
    const files = new Map(change.files.map((file) => [file.path, file]));
    return {
      result,
      configuration,
      baseName: revisions.baseName,
      textOf: async (name) => files.get(name)?.newText(),
      close,
    };
  } catch (error) {
    await close();
    if (error instanceof RevisionError) throw new CommandError(error.message, usageExitCode);
    if (error instanceof GitError) throw new CommandError(`git failed: ${error.message}`);
    throw error;
  }
}

async function open({ folder, searchPath }: LocalReview): Promise<Repository> {
  try {
    return await openRepository(folder, { searchPath });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.fault === 'missing')
      throw new CommandError('The program git was not found; install it, or add it to PATH', usageExitCode);
    if (/not a git repository/i.test(error.message))
      throw new CommandError(`${folder} is not in a Git repository`, usageExitCode);
    throw new CommandError(`git cannot read this repository: ${error.message}`, usageExitCode);
  }
}

/** Somebody who tries the command on a clean branch wants to see something. */
async function adviceOn(
  repository: Repository,
  { files }: Change,
  { base, paths }: LocalReview,
): Promise<string[]> {
  if (files.length > 0 || base !== undefined || paths.length > 0) return [];
  const hasParent = (await findCommit(repository, 'HEAD~1')) !== undefined;
  return hasParent ? ['to review the last commit, use --base HEAD~1'] : [];
}

interface SelectedPath {
  /** As it was written. */
  readonly given: string;
  matches(name: string): boolean;
}

/** Turns paths as a person in a folder writes them into tests on the repository's paths; no path selects everything. */
async function selectPaths({ root }: Repository, { folder, paths }: LocalReview): Promise<SelectedPath[]> {
  if (paths.length === 0) return [{ given: '.', matches: () => true }];
  const here = root === null ? '' : path.relative(root, await realpath(folder));
  return paths.map((given) => {
    const wanted = path.posix.join(here, given).replace(/\/$/, '');
    if (wanted === '..' || wanted.startsWith('../') || path.isAbsolute(given))
      throw new CommandError(
        `${given} is outside of this repository; name paths inside of it`,
        usageExitCode,
      );
    if (wanted === '.') return { given, matches: () => true };
    const isMatch = globMatcher([wanted], { dot: true });
    return {
      given,
      matches: (name) => name === wanted || name.startsWith(`${wanted}/`) || isMatch(name),
    };
  });
}

/** Refuses a path that selects nothing at all: a typing error must not pass for a clean review. */
async function requireExisting(
  repository: Repository,
  { base, head }: { readonly base: string; readonly head: string | null },
  { folder, selected }: { readonly folder: string; readonly selected: readonly SelectedPath[] },
  { files }: Change,
): Promise<void> {
  const unchanged = selected.filter(
    ({ given, matches }) => given !== '.' && !files.some((file) => matches(file.path)),
  );
  if (unchanged.length === 0) return;
  const names = [
    ...(await listFilesAt(repository, base)),
    ...(await listFilesAt(repository, head ?? 'HEAD')),
  ];
  for (const { given, matches } of unchanged) {
    // An empty or ignored folder is no typing error.
    const isThere = await access(path.join(folder, given)).then(
      () => true,
      () => false,
    );
    if (!isThere && !names.some(matches))
      throw new CommandError(`${given} matches no file of this repository`, usageExitCode);
  }
}

/** The base decides, so that a change cannot turn off its own review; `--config` is the word of who runs the command. */
async function configure(repository: Repository, base: string, { configuration }: LocalReview) {
  if (configuration !== undefined) return { configuration: resolveConfiguration(configuration), notes: [] };
  const loaded = await loadConfiguration((name) => readFileAt(repository, base, name));
  if (loaded.file === null && loaded.notes.length === 0) {
    const [name] = postilFileNames;
    const isNew = (await readFileAt(repository, 'HEAD', name)) !== undefined;
    if (isNew) return { ...loaded, notes: [`${name} is not in the base yet; to try it: --config ${name}`] };
  }
  return loaded;
}
