import type { Category, Severity } from '../../../reviewer/finding-vocabulary.ts';

/** Who or what raised a comment: Postil's rules, its model, another reviewer, or an event whose sender did not say. */
export type CommentSource = 'rule' | 'model' | 'reported' | `reviewer:${string}`;

/** `none` stands for comments without one. */
export interface CommentFilter {
  readonly source?: CommentSource | undefined;
  readonly severity?: Severity | 'none' | undefined;
  readonly category?: Category | 'none' | undefined;
  readonly outcome?: 'accepted' | 'not_accepted' | 'unknown' | undefined;
}

/** Which merged pull requests are looked at, and which of their comments. */
export interface InsightFilter extends CommentFilter {
  /** Days in UTC on which pull requests were merged, both included. */
  readonly startDate: string;
  readonly endDate: string;
  /** Ids at the Git provider. */
  readonly repositoryIds?: readonly string[] | undefined;
  readonly authorIds?: readonly string[] | undefined;
  /** Ids of teams whose members are the authors; `none` stands for authors who are in no team. */
  readonly teamIds?: readonly string[] | undefined;
}

/** Whether only pull requests with certain comments are wanted. */
export function selectsComments({ source, severity, category, outcome }: CommentFilter): boolean {
  return [source, severity, category, outcome].some((value) => value !== undefined);
}
