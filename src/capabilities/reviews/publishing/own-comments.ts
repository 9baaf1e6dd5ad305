import type {
  HostComment,
  HostThread,
  RepositoryRef,
  ReviewHost,
} from '../../connections/hosts/review-host.ts';
import { readMarker } from './markers.ts';

/** Where a finding was posted, as it is stored. */
export interface PostedFinding {
  readonly findingId: string;
  readonly commentId: string;
  readonly threadId: string;
  readonly url: string;
}

export interface OwnThread {
  readonly findingId: string;
  readonly thread: HostThread;
  /** The run that posted it; null if that can no longer be told from the host's texts. */
  readonly runId: string | null;
}

/**
 * The threads that Postil started, by finding: those in the database, and those that an interrupted attempt posted before it
 * could store them. A marker counts only in a comment of our own account, since anybody can copy one.
 */
export function findOwnThreads(
  threads: readonly HostThread[],
  stored: readonly PostedFinding[],
): ReadonlyMap<string, OwnThread> {
  const findingOf = new Map(stored.map(({ commentId, findingId }) => [commentId, findingId]));
  const own = new Map<string, OwnThread>();
  for (const thread of threads) {
    const [first] = thread.comments;
    const marker = readMarker(first!.body);
    const marked = first!.isOwn && marker?.kind === 'finding' ? marker : null;
    const findingId = findingOf.get(first!.id) ?? marked?.findingId;
    if (findingId !== undefined && !own.has(findingId))
      own.set(findingId, { findingId, thread, runId: marked?.runId ?? null });
  }
  return own;
}

/** The summary on a pull request as the host has it now, recognized by its marker. */
export async function findOwnSummary(
  host: ReviewHost,
  repository: RepositoryRef,
  number: number,
): Promise<HostComment | undefined> {
  for await (const comment of host.listConversation(repository, number))
    if (comment.isOwn && readMarker(comment.body)?.kind === 'summary') return comment;
  return undefined;
}
