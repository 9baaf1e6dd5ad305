import { HostRefused } from '../../connections/hosts/host.ts';
import type { RepositoryRef, ReviewHost } from '../../connections/hosts/review-host.ts';
import { goneText } from './comment-text.ts';
import { readMarker } from './markers.ts';
import type { OwnThread } from './own-threads.ts';

export interface ClosedThread {
  readonly findingId: string;
  /** False if the host has no call for it, or did not let us. */
  readonly isResolved: boolean;
}

interface Closing {
  readonly host: ReviewHost;
  readonly repository: RepositoryRef;
  readonly number: number;
  readonly runId: string;
  readonly headSha: string;
}

/** The run that has answered in a thread that its finding is gone. */
function answeredBy({ findingId, thread }: OwnThread): string | null {
  for (const { isOwn, body } of thread.comments) {
    const marker = isOwn ? readMarker(body) : null;
    if (marker?.kind === 'gone' && marker.findingId === findingId) return marker.runId;
  }
  return null;
}

/**
 * Answers in own threads whose finding is gone, and resolves them. Each is answered once: one that an earlier run has
 * answered and that is open was opened again by a person, or the host cannot resolve; either way it is left alone.
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
      // A thread that somebody has deleted or locked meanwhile must not stop the others.
      if (!(error instanceof HostRefused)) throw error;
    }
  }
  return closed;
}
