import { HostRefused } from '../../connections/hosts/host.ts';
import type { RepositoryRef, ReviewHost } from '../../connections/hosts/review-host.ts';
import { goneText } from './comment-text.ts';
import { readMarker } from './markers.ts';
import type { OwnThread } from './own-comments.ts';

export interface ClosedThread {
  readonly findingId: string;
  /** False if the host has no call for it, or does not let the account do it. */
  readonly isResolved: boolean;
}

interface Closing {
  readonly host: ReviewHost;
  readonly repository: RepositoryRef;
  readonly number: number;
  readonly runId: string;
  readonly headSha: string;
}

/** The run that has already posted in a thread that its finding is gone; null if none has. */
function answeredBy({ findingId, thread }: OwnThread): string | null {
  for (const { isOwn, body } of thread.comments) {
    const marker = isOwn ? readMarker(body) : null;
    if (marker?.kind === 'gone' && marker.findingId === findingId) return marker.runId;
  }
  return null;
}

/**
 * Replies in own threads whose finding is gone, and resolves them, once each. If an earlier run has replied and the thread
 * is open, either a person reopened it or the host cannot resolve threads; both are left alone.
 */
export async function closeThreads(
  { host, repository, number, runId, headSha }: Closing,
  gone: readonly OwnThread[],
): Promise<ClosedThread[]> {
  const closed: ClosedThread[] = [];
  for (const own of gone) {
    const { findingId, thread } = own;
    const answered = answeredBy(own);
    if (thread.isResolved || (answered !== null && answered !== runId)) continue;
    try {
      if (answered === null)
        await host.reply(repository, number, thread, goneText(findingId, runId, headSha));
      closed.push({ findingId, isResolved: await host.resolve(repository, number, thread) });
    } catch (error) {
      // A thread that was deleted or locked in the meantime must not stop the others.
      if (!(error instanceof HostRefused)) throw error;
    }
  }
  return closed;
}
