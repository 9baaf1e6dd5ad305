import type { RepositoryPlace } from '../../../reviewer/repository/repository.ts';
import { findPaths, type Version } from './observe-code.ts';

export interface PathsRequest {
  readonly repository: RepositoryPlace;
  readonly posted: Version;
  readonly now: Version;
  readonly own: readonly string[];
}

export function work({ repository, posted, now, own }: PathsRequest): Promise<string[] | null> {
  return findPaths(repository, posted, now, own);
}
