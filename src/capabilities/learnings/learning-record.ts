import type { OrganizationId, PersonId, RepositoryId } from '../../lib/ids.ts';

export type Origin = 'api' | 'chat' | 'pipeline';
export type Visibility = 'private' | 'shared';
export type Approval = 'pending' | 'approved' | 'disapproved';

/** Identifies a repository and its tenant. */
export interface RepositoryKey {
  readonly organizationId: OrganizationId;
  readonly repositoryId: RepositoryId;
}

/** Identifies a record by its text. */
export interface ContentKey extends RepositoryKey {
  readonly hash: string;
}

/** The lifecycle state of a Learning. */
export interface LearningState {
  readonly visibility: Visibility;
  readonly pullRequests: readonly number[];
  readonly approval: Approval;
  readonly approvalDeadline: Date | null;
}

/** The part of a stored record that the rules need. */
export interface StoredLearning extends ContentKey, LearningState {
  readonly id: string;
  readonly text: string;
  /** For a captured Learning, the time of its event. */
  readonly createdAt: Date;
  readonly embedderId: string | null;
}

export interface NewLearning extends ContentKey, LearningState {
  readonly id: string;
  readonly text: string;
  readonly file: string | null;
  readonly sourceUrl: string | null;
  readonly authorId: string;
  readonly authorPersonId: PersonId | null;
  readonly origin: Origin;
  readonly redactorVersion: number;
  readonly createdAt: Date;
  /** When the repair schedule may start to embed it. */
  readonly indexDueAt: Date;
}

export function repositoryKey({ organizationId, repositoryId }: RepositoryKey): string {
  return `${organizationId}/${repositoryId}`;
}

/** Each repository once; ids are unique over all organizations. */
export function uniqueRepositories(keys: readonly RepositoryKey[]): RepositoryKey[] {
  return [...new Map(keys.map((key) => [key.repositoryId, key])).values()];
}

export function contentKey(key: ContentKey): string {
  return `${repositoryKey(key)}/${key.hash}`;
}
