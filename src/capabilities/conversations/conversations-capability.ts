import type { Capability } from '../capability.ts';
import type { PullRequestListener } from '../connections/reading/pull-request-listener.ts';
import { followUpWork } from '../reviews/reviewed-pull-requests/follow-up-work.ts';
import type { ConversationDeps } from './conversation-deps.ts';

/** Commands and questions in comments on pull requests. Told about pull requests after the other capabilities. */
export function conversations(
  deps: ConversationDeps,
  following: PullRequestListener,
): Capability & { readonly pullRequests: PullRequestListener } {
  const answering = followUpWork(deps, {
    kind: 'answers',
    name: 'answer-comments',
    atOnce: 2,
    atOncePerGroup: 1,
    maxSeconds: 900,
    retries: { count: 100, firstPauseSeconds: 2, maxPauseSeconds: 300 },
    async run(key, { signal }) {
      // Imported on first use, as in reviews/review-units.ts.
      const { answerComments } = await import('./answer-comments.ts');
      await answerComments(deps, key, signal);
    },
  });
  return {
    units: [answering.unit],
    schedules: [answering.requeue],
    pullRequests: {
      async onRead(reading) {
        await following.onRead(reading);
        await answering.request({ ...reading.repository, number: reading.pull.number });
      },
      describe: (repository, number) => following.describe(repository, number),
    },
  };
}
