import type { UnitOfWork } from '../../work/unit-of-work.ts';
import type { HostDeps } from '../connections/open-host.ts';
import type { PullRequestKey } from '../pull-requests/pull-request-state.ts';
import type { CheckDeps } from './checks/check-pull-request.ts';
import type { AnswerDeps } from './checks/questions/answer-questions.ts';
import type { FollowUp } from './reviewed-pull-requests/follow-up-work.ts';
import type { CommitDeps } from './reviewed-pull-requests/running/base-configuration.ts';
import type { PullRequestRunDeps } from './reviewed-pull-requests/running/pull-request-attempt.ts';
import type { StartDeps } from './reviewed-pull-requests/start-due-review.ts';
import type { RunReviewDeps } from './run-review.ts';
import type { FixKey } from './runs/fix-record.ts';
import { reviewUnitName } from './runs/run-in-hand.ts';
import type { RunKey } from './runs/run-record.ts';

// The code of the units is imported when the first of them runs. With the rules, the model and their libraries it is a sixth
// of all code, so the server starts faster without it.

/** Time to store the findings after the deadline. */
const graceSeconds = 120;
/** Posting takes seconds, unless the host is slow or the commits have to be fetched again. */
const maxReleaseSeconds = 170;

/**
 * Runs of one organization are done one at a time, so that they do not delay those of others, and so that no two of them
 * write to a host at once: an attempt at a run that was stopped needs a moment to notice.
 */
const turnOf = ({ organizationId }: RunKey) => `reviews of ${organizationId}`;

/** The unit of work that does a run. */
export function reviewUnit(deps: RunReviewDeps): UnitOfWork<RunKey> {
  return {
    name: reviewUnitName,
    atOnce: 2,
    atOncePerGroup: 1,
    turnOf,
    maxSeconds: deps.maxSeconds + graceSeconds,
    // The number of attempts is limited by the run itself, which also counts those that a crashed node began.
    retries: { count: 20, firstPauseSeconds: 1, maxPauseSeconds: 60 },
    async run(key, attempt) {
      const { runReview } = await import('./run-review.ts');
      await runReview(deps, key, attempt);
    },
    async onGivenUp(key, error) {
      const { giveUpReview } = await import('./run-review.ts');
      await giveUpReview(deps, key, error);
    },
  };
}

/** The unit of work that posts what a member released of a run. */
export function releaseUnit(deps: PullRequestRunDeps): UnitOfWork<RunKey> {
  return {
    name: 'publish-release',
    atOnce: 2,
    atOncePerGroup: 1,
    turnOf,
    maxSeconds: maxReleaseSeconds,
    retries: { count: 20, firstPauseSeconds: 2, maxPauseSeconds: 300 },
    async run(key, attempt) {
      const { publishRelease } = await import('./reviewed-pull-requests/releasing/publish-release.ts');
      await publishRelease(deps, key, attempt);
    },
  };
}

/** The unit of work that commits what a run safely suggests. */
export function fixUnit(deps: CommitDeps & HostDeps): UnitOfWork<FixKey> {
  return {
    name: 'commit-suggestions',
    atOnce: 2,
    atOncePerGroup: 1,
    maxSeconds: 600,
    // About an hour: after that, the person who clicked is no longer waiting.
    retries: { count: 16, firstPauseSeconds: 2, maxPauseSeconds: 300 },
    async run(key, attempt) {
      const { carryOutFix } = await import('./reviewed-pull-requests/fixing/carry-out-fix.ts');
      await carryOutFix(deps, key, attempt);
    },
    async onGivenUp(key) {
      const { giveUpFix } = await import('./reviewed-pull-requests/fixing/carry-out-fix.ts');
      await giveUpFix(deps, key);
    },
  };
}

/** The unit of work that decides whether a pull request that changed is reviewed, and if so stores the run. */
export function startUnit(deps: StartDeps): UnitOfWork<PullRequestKey> {
  return {
    name: 'start-review',
    atOnce: 4,
    atOncePerGroup: 2,
    maxSeconds: 900,
    retries: { count: 300, firstPauseSeconds: 2, maxPauseSeconds: 300 },
    async run(key, attempt) {
      const { startDueReview } = await import('./reviewed-pull-requests/start-due-review.ts');
      await startDueReview(deps, key, attempt);
    },
  };
}

/** Evaluates the checks of a pull request, one at a time per organization, so that the verdict stored last is the newest. */
export function checksUnit(deps: CheckDeps): FollowUp {
  return {
    kind: 'checks',
    name: 'check-pull-request',
    atOnce: 4,
    atOncePerGroup: 1,
    maxSeconds: 300,
    retries: { count: 20, firstPauseSeconds: 2, maxPauseSeconds: 300 },
    async run(key, attempt) {
      const { checkPullRequest } = await import('./checks/check-pull-request.ts');
      await checkPullRequest(deps, key, attempt);
    },
  };
}

/**
 * Asks a model the questions of checks. Separate from their evaluation, because that takes seconds, and a model takes
 * minutes.
 */
export function questionsUnit(deps: AnswerDeps): FollowUp {
  return {
    kind: 'questions',
    name: 'answer-questions',
    atOnce: 2,
    atOncePerGroup: 1,
    maxSeconds: 1_800,
    retries: { count: 10, firstPauseSeconds: 5, maxPauseSeconds: 300 },
    async run(key, attempt) {
      const { answerQuestions } = await import('./checks/questions/answer-questions.ts');
      await answerQuestions(deps, key, attempt);
    },
  };
}
