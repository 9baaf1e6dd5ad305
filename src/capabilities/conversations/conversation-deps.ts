import type { UnitOfWork } from '../../work/unit-of-work.ts';
import type { Host } from '../connections/hosts/host.ts';
import type { HostDeps } from '../connections/open-host.ts';
import type { ServedRepository } from '../connections/reading/serving-connection.ts';
import type { ReportDeps } from '../findings/outcomes/report-outcomes.ts';
import type { EventSink } from '../intake/event-sink.ts';
import type { PullRequestKey } from '../pull-requests/pull-request-state.ts';
import type { InstallationModel } from '../reviews/gathering/organization-model.ts';
import type { FollowUpWork } from '../reviews/reviewed-pull-requests/follow-up-work.ts';
import type { ReviewedPullRequest } from '../reviews/reviewed-pull-requests/pull-request-facts.ts';
import type { CommitDeps } from '../reviews/reviewed-pull-requests/running/base-configuration.ts';
import type { PostedPlace } from '../reviews/run-findings/list-posted-findings.ts';
import type { RunKey } from '../reviews/runs/run-record.ts';
import type { Conversation } from './comments/said-comment.ts';

export interface ConversationDeps extends HostDeps, ReportDeps, CommitDeps {
  readonly acceptEvents: EventSink;
  /** The unit that does reviews. */
  readonly runUnit: UnitOfWork<RunKey>;
  /** Evaluates the checks of a pull request. */
  readonly checking: Pick<FollowUpWork, 'unit' | 'requestIn'>;
  readonly model: InstallationModel | undefined;
}

/** A pull request with new comments. */
export interface Scene {
  readonly key: PullRequestKey;
  readonly pull: ReviewedPullRequest;
  readonly served: ServedRepository;
  readonly host: Host;
  readonly conversation: Conversation;
  /** Own findings that have a thread. */
  readonly posted: readonly PostedPlace[];
  readonly signal: AbortSignal;
}
