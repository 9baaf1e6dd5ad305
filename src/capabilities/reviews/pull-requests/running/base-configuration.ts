import type { Database } from '../../../../db/database.ts';
import {
  configurationFileNames,
  type LoadedConfiguration,
  loadConfiguration,
} from '../../../../reviewer/configuration/load-configuration.ts';
import { readFileAt } from '../../../../reviewer/repository/read-file-at.ts';
import type { HostPullRequest } from '../../../connections/hosts/host.ts';
import type { ReviewHost } from '../../../connections/hosts/review-host.ts';
import type { ServedRepository } from '../../../connections/reading/serving-connection.ts';
import type { Mirrors } from '../../mirror/mirrors.ts';
import { type PullRequestCommits, withCommits } from '../../mirror/pull-request-commits.ts';
import type { ReviewSettings } from '../../settings/review-settings.ts';

export interface CommitDeps {
  readonly database: Database;
  readonly mirrors: Mirrors;
  /** PATH, where Git is looked for. */
  readonly searchPath: string | undefined;
}

/** Which commits of a pull request are meant. */
export interface PullRequestRevisions {
  readonly number: number;
  readonly head: string;
  readonly base: HostPullRequest['base'];
}

/** Brings the commits of a pull request here, and opens them while `work` reads. */
export async function withPullRequest<Result>(
  deps: CommitDeps,
  host: ReviewHost,
  { repository }: ServedRepository,
  pull: PullRequestRevisions,
  signal: AbortSignal,
  work: (commits: PullRequestCommits) => Promise<Result>,
): Promise<Result> {
  const { organizationId, repositoryId, providerRepositoryId: id, fullName } = repository;
  const source = await host.cloneSource({ id, fullName }, pull.number);
  return withCommits(deps, source, { organizationId, repositoryId, ...pull }, signal, work);
}

/** The configuration that holds for a pull request: that of its base branch, over the organization's defaults. */
export async function readBaseConfiguration(
  { repository, baseTip, bringFiles }: PullRequestCommits,
  { defaults }: Pick<ReviewSettings, 'defaults'>,
): Promise<LoadedConfiguration> {
  await bringFiles(configurationFileNames);
  return loadConfiguration((path) => readFileAt(repository, baseTip, path), defaults);
}
