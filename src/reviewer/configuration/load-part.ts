import { readFileAt } from '../repository/read-file-at.ts';
import type { RepositoryPlace } from '../repository/repository.ts';
import { type LoadedConfiguration, loadConfiguration } from './load-configuration.ts';
import type { PostilFile } from './review-configuration.ts';

export interface LoadRequest {
  readonly repository: RepositoryPlace;
  readonly revision: string;
  readonly defaults?: PostilFile | undefined;
}

/** Reads the configuration that a revision has. */
export function work({ repository, revision, defaults }: LoadRequest): Promise<LoadedConfiguration> {
  return loadConfiguration((path) => readFileAt(repository, revision, path), defaults);
}
