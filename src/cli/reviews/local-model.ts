import type { ModelReviewer } from '../../reviewer/model/model-reviewer.ts';
import type { ModelSettings, ReviewLimits } from '../../reviewer/model/model-settings.ts';
import type { LearningsForReview } from '../../reviewer/model/review-context.ts';

/** The configured model, for commands that review without a server. */
export interface LocalModel {
  /** A reviewer for one review, with a limit on costs and the Learnings that it may follow. */
  reviewer(options?: {
    readonly maxUsd?: number | undefined;
    readonly learnings?: LearningsForReview | undefined;
  }): ModelReviewer;
  close(): Promise<void>;
}

/** Imports the code that a model needs on demand, so that commands without one start faster. */
export async function openLocalModel(settings: ModelSettings, limits: ReviewLimits): Promise<LocalModel> {
  const [{ anyAddress }, { createOutbound }, { clientOf }, { createModelReviewer }] = await Promise.all([
    import('../../outbound/address-guard.ts'),
    import('../../outbound/outbound.ts'),
    import('../../models/model-client.ts'),
    import('../../reviewer/model/review-by-model.ts'),
  ]);
  const outbound = createOutbound(anyAddress);
  return {
    reviewer: ({ maxUsd, learnings } = {}) =>
      createModelReviewer({
        settings,
        limits: { ...limits, maxUsd },
        openClient: clientOf(settings, outbound),
        learnings,
      }),
    close: () => outbound.close(),
  };
}
