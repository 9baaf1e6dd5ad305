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

// What the units do is imported with the first of them, since the rules, the model and the libraries they use are a sixth of all
// code: a server without them is ready sooner, and nobody waits for a single unit.

/** Time to store what was found when the time is over. */
const graceSeconds = 120;
/** Posting takes seconds, unless the host is slow or the commits have to be brought here again. */
const maxReleaseSeconds = 170;

/**
 * Of one organization, one run at a time, so that the runs of one do not delay those of another, and no two of them write to a host
 * at once: an attempt at a run that was stopped may take a moment to notice it.
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
    // The run itself counts its attempts: those that a killed node began, too.
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
    // An hour: whoever clicked no longer waits for it.
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

/** Evaluates the checks of a pull request. One at a time for an organization: the last word is the one that stays. */
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

/** Asks a model what checks want to know, apart from their evaluation: that takes seconds, and a model takes minutes. */
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
