import type { Database } from '../../../db/database.ts';
import { openReviewTools } from '../../../models/tools/review-tools.ts';
import type { Outbound } from '../../../outbound/outbound.ts';
import type { CheckAnswer } from '../../../reviewer/checks/check-answer.ts';
import type { CheckQuestion, ShownForQuestions } from '../../../reviewer/checks/check-question.ts';
import type { ReviewConfiguration } from '../../../reviewer/configuration/review-configuration.ts';
import type {
  ChangeQuestion,
  QuestionAnswer,
  QuestionOptions,
} from '../../../reviewer/model/answering/answer-about-change.ts';
import type { ModelReviewer, ModelUsage } from '../../../reviewer/model/model-reviewer.ts';
import type { ReviewLimits } from '../../../reviewer/model/model-settings.ts';
import type { ModelReviewOptions } from '../../../reviewer/model/review-by-model.ts';
import type {
  KnownFinding,
  LearningsForReview,
  PullRequestText,
} from '../../../reviewer/model/review-context.ts';
import type { Vault } from '../../../secrets/vault.ts';
import type { EventSink } from '../../intake/event-sink.ts';
import type { RunKey } from '../runs/run-record.ts';
import type { ReviewSettings } from '../settings/review-settings.ts';
import { addUsage, reserveBudget } from './budget-store.ts';
import { reportCalls, reportLearnings, storeCalls } from './report-usage.ts';
import { findToolServers } from './tool-servers.ts';

/** The options of a review that the installation's model needs; it knows its own settings. */
export type ModelRunOptions = Omit<ModelReviewOptions, 'settings' | 'openClient'>;

/** The model of the installation. */
export interface InstallationModel {
  readonly name: string;
  open(options: ModelRunOptions, run: RunKey): Promise<ModelReviewer>;
  /** Answers a question about a change; absent if it only reviews. */
  ask?(question: ChangeQuestion, options: QuestionOptions, signal: AbortSignal): Promise<QuestionAnswer>;
  /** Answers a question of a check; absent if it only reviews. */
  judge?(
    question: CheckQuestion,
    shown: ShownForQuestions,
    options: QuestionOptions,
    signal: AbortSignal,
  ): Promise<CheckAnswer>;
  readonly limits: ReviewLimits;
  /** What one review can cost at most. */
  readonly maxUsd: number;
}

export interface OrganizationModelDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly vault: Vault;
  /** For connections to addresses that organizations configure. */
  readonly customerOutbound: Outbound;
  readonly acceptEvents: EventSink;
  /** Called when a usage report fails; the review continues. */
  readonly onReportFailure: (error: unknown) => void;
}

/** What a model learns about the pull request. */
export interface PullRequestContext extends PullRequestText {
  readonly number: number;
  readonly url: string;
  readonly isFromFork: boolean;
  /** Of the repository on its host; the only place that texts may link to. */
  readonly repositoryUrl?: string | undefined;
  readonly knownFindings?: readonly KnownFinding[];
}

export interface ModelRun {
  readonly run: RunKey & { readonly lease: string };
  readonly settings: ReviewSettings;
  readonly configuration: ReviewConfiguration;
  readonly learnings: LearningsForReview;
  readonly pullRequest?: PullRequestContext | undefined;
}

/**
 * The model for a run of an organization: limited to the month's budget, and with the organization's Learnings and tools.
 * Usage is stored as it arises, so that interrupted attempts count too.
 */
export function organizationModel(
  deps: OrganizationModelDeps,
  { name, open, limits, maxUsd }: InstallationModel,
  given: ModelRun,
): ModelReviewer {
  const { database, clock } = deps;
  const { run, settings, configuration, pullRequest } = given;
  const isFromFork = pullRequest?.isFromFork ?? false;
  let recorded: ModelUsage = { model: name, inputTokens: 0, outputTokens: 0, costUsd: 0, calls: 0 };
  let reviewer: ModelReviewer | undefined;

  async function record(total: ModelUsage): Promise<void> {
    const added = {
      model: total.model,
      inputTokens: total.inputTokens - recorded.inputTokens,
      outputTokens: total.outputTokens - recorded.outputTokens,
      costUsd: total.costUsd - recorded.costUsd,
      calls: total.calls - recorded.calls,
      toolCalls: (total.toolCalls ?? 0) - (recorded.toolCalls ?? 0),
    };
    recorded = total;
    if (added.calls > 0 || added.inputTokens > 0) await addUsage(database.sql, run, added);
  }

  return {
    name,
    async review(request, signal) {
      const allowance = await reserveBudget(database, run, maxUsd, clock());
      const wanted = isFromFork && !settings.allowMcpForForks ? [] : configuration.mcp.servers;
      const { servers, failures } = await findToolServers(deps, run.organizationId, wanted);
      const tools = await openReviewTools(servers, {
        outbound: deps.customerOutbound,
        isFromFork,
        allowForForks: settings.allowMcpForForks,
        onUse: (usage) => storeCalls(database, run, usage).catch(deps.onReportFailure),
      });
      reviewer = await open(
        {
          limits: {
            ...limits,
            maxTokens: Math.max(0, limits.maxTokens - allowance.usedTokens),
            maxUsd: allowance.usd,
          },
          pullRequest,
          learnings: given.learnings,
          knownFindings: pullRequest?.knownFindings ?? [],
          repositoryUrl: pullRequest?.repositoryUrl,
          tools: { offer: tools.offer, failures: [...failures, ...tools.failures] },
          onUsage: record,
        },
        run,
      );
      try {
        const answer = await reviewer.review(request, signal);
        await record(answer.usage);
        return answer;
      } finally {
        await tools.close();
        await reportCalls(database, deps.acceptEvents, run, clock()).catch(deps.onReportFailure);
      }
    },
    async confirm(findings, signal) {
      const all = new Set(findings.map(({ identity }) => identity));
      const confirmed = await reviewer?.confirm?.(findings, signal);
      if (confirmed !== undefined) await record(confirmed.usage);
      const kept = confirmed?.kept ?? all;
      const used = findings
        .filter(({ identity }) => kept.has(identity))
        .flatMap(({ learningIds }) => learningIds);
      await reportLearnings(
        database.sql,
        deps.acceptEvents,
        run,
        pullRequest?.url,
        [...new Set(used)],
        clock(),
      ).catch(deps.onReportFailure);
      return { kept, usage: recorded };
    },
  };
}
