import type { Database } from '../../../../db/database.ts';
import {
  configurationFileNames,
  type LoadedConfiguration,
} from '../../../../reviewer/configuration/load-configuration.ts';
import { resolveConfiguration } from '../../../../reviewer/configuration/review-configuration.ts';
import { partAt } from '../../../../reviewer/process/part.ts';
import { PartEnded } from '../../../../reviewer/process/part-failure.ts';
import { placeOf } from '../../../../reviewer/repository/repository.ts';
import type { HostPullRequest } from '../../../connections/hosts/host.ts';
import type { ReviewHost } from '../../../connections/hosts/review-host.ts';
import type { ServedRepository } from '../../../connections/reading/serving-connection.ts';
import { type PullRequestCommits, type ReadingDeps, withCommits } from '../../mirror/pull-request-commits.ts';
import type { ReviewSettings } from '../../settings/review-settings.ts';

export interface CommitDeps extends ReadingDeps {
  readonly database: Database;
}

/** The commits of a pull request. */
export interface PullRequestRevisions {
  readonly number: number;
  readonly head: string;
  readonly base: HostPullRequest['base'];
}

/** Fetches the commits of a pull request, and opens them while `work` reads. */
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

const configurationPart = partAt<typeof import('../../../../reviewer/configuration/load-part.ts')>(
  '../../../../reviewer/configuration/load-part',
  import.meta.url,
);

/** The configuration of a pull request: that of its base branch, with the organization's defaults. */
export async function readBaseConfiguration(
  { repository, run, baseTip, bringFiles, askOnce }: PullRequestCommits,
  { defaults }: Pick<ReviewSettings, 'defaults'>,
): Promise<LoadedConfiguration> {
  const load = async () => {
    await bringFiles(configurationFileNames);
    return run(configurationPart, { repository: placeOf(repository), revision: baseTip, defaults });
  };
  // A file that could not be used may merely not have been fetched yet.
  const isUsed = ({ file, notes }: LoadedConfiguration) => file !== null || notes.length === 0;
  const question = ['configuration', baseTip, JSON.stringify(defaults ?? null)];
  return askOnce(question, load, isUsed).catch((error: unknown) => {
    if (!(error instanceof PartEnded)) throw error;
    const note = `the configuration is not used, so the defaults apply: ${error.message}`;
    const configuration = resolveConfiguration(defaults);
    return { configuration, file: null, checks: {}, unknownChecks: note, notes: [note] };
  });
}
