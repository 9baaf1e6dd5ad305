import { access, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { ChangeSource } from '../../reviewer/change/change-source.ts';
import type { SentReport } from '../../reviewer/checks/facts-part.ts';
import {
  type LoadedConfiguration,
  postilFileNames,
} from '../../reviewer/configuration/load-configuration.ts';
import {
  type PostilFile,
  type ReviewConfiguration,
  resolveConfiguration,
} from '../../reviewer/configuration/review-configuration.ts';
import type { FindingPlace } from '../../reviewer/finding.ts';
import { withoutQuiet } from '../../reviewer/judge/attention.ts';
import type { ModelReviewer } from '../../reviewer/model/model-reviewer.ts';
import { partAt, partsOf, type ReviewProcesses, type RunPart } from '../../reviewer/process/part.ts';
import { PartEnded } from '../../reviewer/process/part-failure.ts';
import { chooseRevisions, findCommit, RevisionError } from '../../reviewer/repository/choose-revisions.ts';
import { readFileAt } from '../../reviewer/repository/read-file-at.ts';
import { openRepository, placeOf, type Repository } from '../../reviewer/repository/repository.ts';
import { GitError } from '../../reviewer/repository/run-git.ts';
import { openStaged, type Staged } from '../../reviewer/repository/staged-tree.ts';
import { reviewChange } from '../../reviewer/review/review-change.ts';
import type { ReviewResult } from '../../reviewer/review/review-result.ts';
import { CommandError, usageExitCode } from '../command-error.ts';
import { type WrittenFixes, writeFixes } from './fixes/write-fixes.ts';
import type { Frame } from './frames-part.ts';
import { peopleHere } from './local-people.ts';
import { withSarifLogs } from './sarif-logs.ts';

export interface LocalReview {
  readonly folder: string;
  readonly searchPath: string | undefined;
  /** The home folder of the current user, for their Git settings. */
  readonly home?: string | undefined;
  readonly base: string | undefined;
  readonly head: string | undefined;
  /** Reviews what is staged, according to this index file if it is one of the repository, otherwise the usual one. */
  readonly staged?: { readonly indexFile: string | undefined } | undefined;
  /** Folders, files or globs, relative to the folder; none means everything. */
  readonly paths: readonly string[];
  /** The configuration file of the command line, which replaces the one in the base. */
  readonly configuration: PostilFile | undefined;
  readonly coverage: readonly SentReport[];
  readonly model?: ModelReviewer | undefined;
  /** SARIF logs of other analyzers, relative to the folder. */
  readonly sarif?: readonly string[];
  /** The processes that read the change; the caller stops them. */
  readonly processes: ReviewProcesses;
  /** Folders with OSV documents; empty if none was given. */
  readonly osv: readonly string[];
  readonly maxSeconds: number;
  onProgress(done: number, total: number): void;
}

export interface LocalResult {
  readonly result: ReviewResult;
  readonly configuration: ReviewConfiguration;
  /** Null if there is no commit yet. */
  readonly baseName: string | null;
  /** Reads the lines of findings with some context. */
  readonly showLines: (places: readonly FindingPlace[]) => Promise<readonly (Frame | null)[]>;
  /** Applies the safe fixes that rules suggest; only for a review of the working copy itself. */
  readonly fix: () => Promise<WrittenFixes>;
  close(): Promise<void>;
}

const unmatchedPart = partAt<typeof import('./unmatched-part.ts')>('unmatched-part', import.meta.url);
const fixPart = partAt<typeof import('../../reviewer/judge/fix-part.ts')>(
  '../../reviewer/judge/fix-part',
  import.meta.url,
);
const osvPart = partAt<typeof import('../../reviewer/rules/dependencies/osv/osv-folder-part.ts')>(
  '../../reviewer/rules/dependencies/osv/osv-folder-part',
  import.meta.url,
);
const framesPart = partAt<typeof import('./frames-part.ts')>('frames-part', import.meta.url);
const configurationPart = partAt<typeof import('../../reviewer/configuration/load-part.ts')>(
  '../../reviewer/configuration/load-part',
  import.meta.url,
);

/** Reviews the changes of a working copy by rules, and by a model if there is one; needs neither a server nor a key. */
export async function reviewWorkingCopy(review: LocalReview): Promise<LocalResult> {
  const { signal } = new AbortController();
  const deadline = AbortSignal.timeout(review.maxSeconds * 1000);
  const run = partsOf(review.processes, { group: 'here', signal, deadline });
  const opened = await open(review);
  const startedAt = new Date();
  try {
    const { repository, revisions } = await chooseCompared(opened, review);
    const selected = await selectPaths(repository, review);
    const { configuration, notes } = await configure(repository, revisions, review, run);
    const { base, head } = revisions;
    const change = { kind: 'commits', repository: placeOf(repository), base, head, selected } as const;
    const advice = await adviceOn(repository, change, review, run);
    const result = await withSarifLogs(review, run, async (logs) =>
      reviewChange({
        change,
        configuration,
        notes: [...notes, ...advice],
        own: { astGrepRules: [], searchPath: review.searchPath },
        owner: repository.owner,
        run,
        people: await peopleHere(repository, review.home),
        model: review.model,
        advisories:
          review.osv.length === 0 ? undefined : (packages) => run(osvPart, { folders: review.osv, packages }),
        checks: { coverage: review.coverage },
        signal,
        deadline,
        results: { logs },
        onProgress: review.onProgress,
      }),
    );
    return {
      result,
      configuration,
      baseName: revisions.baseName,
      showLines: (places) =>
        run(framesPart, { change, places }, { deadline: undefined }).catch((error: unknown) => {
          // Findings without their lines are better than no findings.
          if (error instanceof PartEnded) return places.map(() => null);
          throw error;
        }),
      fix: async () =>
        writeFixes(
          repository.root!,
          await run(
            fixPart,
            { change, findings: withoutQuiet([...result.findings, ...result.overflow], result.quiet ?? []) },
            { deadline: undefined },
          ),
          startedAt,
        ),
      close: () => opened.close(),
    };
  } catch (error) {
    await opened.close();
    if (error instanceof RevisionError) throw new CommandError(error.message, usageExitCode);
    if (error instanceof GitError) throw new CommandError(`git failed: ${error.message}`);
    throw error;
  }
}

/** Chooses the revisions to compare, and the repository to read them from. */
async function chooseCompared(repository: Repository, review: LocalReview): Promise<Staged> {
  const { staged, folder } = review;
  if (staged === undefined) return { repository, revisions: await chooseRevisions(repository, review) };
  const { indexFile } = staged;
  return openStaged(repository, indexFile === undefined ? undefined : path.resolve(folder, indexFile));
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

/**
 * Refuses a path that matches nothing at all, because a typing error must not look like a clean review. Also returns a hint
 * for people who try the command on a branch without changes.
 */
async function adviceOn(
  repository: Repository,
  change: ChangeSource & { readonly kind: 'commits' },
  { folder, base, staged, paths }: LocalReview,
  run: RunPart,
): Promise<string[]> {
  const { files, unmatched } = await run(unmatchedPart, { change }).catch((error: unknown) => {
    // The same error ends the review itself, which reports it.
    if (error instanceof PartEnded) return { files: 1, unmatched: [] };
    throw error;
  });
  for (const wanted of unmatched) {
    const given = paths[change.selected!.indexOf(wanted)]!;
    // An empty or ignored folder is not a typing error.
    const isThere = await access(path.join(folder, given)).then(
      () => true,
      () => false,
    );
    if (!isThere) throw new CommandError(`${given} matches no file of this repository`, usageExitCode);
  }
  if (files > 0 || base !== undefined || staged !== undefined || paths.length > 0) return [];
  const hasParent = (await findCommit(repository, 'HEAD~1')) !== undefined;
  return hasParent ? ['to review the last commit, use --base HEAD~1'] : [];
}

/**
 * Converts paths relative to the current folder to paths in the repository; undefined, which selects everything, if there are
 * none.
 */
async function selectPaths(
  { root }: Repository,
  { folder, paths }: LocalReview,
): Promise<string[] | undefined> {
  if (paths.length === 0) return undefined;
  const here = root === null ? '' : path.relative(root, await realpath(folder));
  return paths.map((given) => {
    const wanted = path.posix.join(here, given).replace(/\/$/, '');
    if (wanted === '..' || wanted.startsWith('../') || path.isAbsolute(given))
      throw new CommandError(
        `${given} is outside of this repository; name paths inside of it`,
        usageExitCode,
      );
    return wanted;
  });
}

/**
 * Reads the configuration from the base, so that a change cannot turn off its own review. `--config` takes precedence, since
 * the person who runs the command chose it.
 */
async function configure(
  repository: Repository,
  { base, head }: { readonly base: string; readonly head: string | null },
  { configuration }: LocalReview,
  run: RunPart,
): Promise<Pick<LoadedConfiguration, 'configuration' | 'notes'>> {
  if (configuration !== undefined) return { configuration: resolveConfiguration(configuration), notes: [] };
  const loaded = await run(configurationPart, { repository: placeOf(repository), revision: base });
  if (loaded.file === null && loaded.notes.length === 0) {
    const [name] = postilFileNames;
    const isNew = await hasFile(repository, head, name);
    if (isNew) return { ...loaded, notes: [`${name} is not in the base yet; to try it: --config ${name}`] };
  }
  return loaded;
}

/** Whether the file exists in what is reviewed: a commit, or the working copy. */
async function hasFile(repository: Repository, head: string | null, name: string): Promise<boolean> {
  if (head !== null) return (await readFileAt(repository, head, name)) !== undefined;
  return access(path.join(repository.root ?? repository.call.folder, name)).then(
    () => true,
    () => false,
  );
}
