import { listFilesAt, readFileAt } from '../repository/read-file-at.ts';
import type { RepositoryPlace } from '../repository/repository.ts';
import { configurationFileNames, type LoadedConfiguration, loadConfiguration } from './load-configuration.ts';
import type { PostilFile } from './review-configuration.ts';

export interface LoadRequest {
  readonly repository: RepositoryPlace;
  readonly revision: string;
  readonly defaults?: PostilFile | undefined;
}

/** Loads the configuration of a revision. */
export async function work({ repository, revision, defaults }: LoadRequest): Promise<LoadedConfiguration> {
  const present = await listFilesAt(repository, revision, configurationFileNames);
  return loadConfiguration(async (path) => {
    if (!present.includes(path)) return undefined;
    return (await readFileAt(repository, revision, path)) ?? null;
  }, defaults);
}
