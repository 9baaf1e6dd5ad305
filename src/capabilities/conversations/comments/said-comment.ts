import type {
  HostComment,
  HostThread,
  RepositoryRef,
  ReviewHost,
} from '../../connections/hosts/review-host.ts';
import { readAnswerMarker } from './answer-marker.ts';

/** The author of a comment. */
export type Speaker = NonNullable<HostComment['author']>;

/** A comment of somebody else, and its thread. */
export interface SaidComment {
  /** Includes the kind, because hosts number the comments of threads and of the conversation separately. */
  readonly key: string;
  readonly comment: HostComment;
  readonly author: Speaker;
  /** Null if it is part of the main conversation. */
  readonly thread: HostThread | null;
}

/** The comments on a pull request. */
export interface Conversation {
  /** Oldest first. */
  readonly said: readonly SaidComment[];
  readonly threads: readonly HostThread[];
  /** The keys of the comments that the own account has answered. */
  readonly answered: ReadonlySet<string>;
}

/** Reads all threads, and the comments in the main conversation since a time. */
export async function readConversation(
  host: ReviewHost,
  repository: RepositoryRef,
  number: number,
  since: Date,
): Promise<Conversation> {
  const threads = await host.readThreads(repository, number);
  const comments = await Array.fromAsync(host.listConversation(repository, number, since));
  const all = [
    ...comments.map((comment) => ({ key: `conversation/${comment.id}`, comment, thread: null })),
    ...threads.flatMap((thread) =>
      thread.comments.map((comment) => ({ key: `thread/${comment.id}`, comment, thread })),
    ),
  ];
  const answers = all.flatMap(({ comment: { isOwn, body } }) =>
    isOwn ? (readAnswerMarker(body) ?? []) : [],
  );
  const said = all
    .flatMap(({ key, comment, thread }): SaidComment[] =>
      comment.isOwn || comment.author === null || comment.createdAt < since
        ? []
        : [{ key, comment, thread, author: comment.author }],
    )
    .sort((a, b) => a.comment.createdAt.getTime() - b.comment.createdAt.getTime());
  return { said, threads, answered: new Set(answers) };
}
