import type { ModelReviewer } from '../../capabilities/reviews/engine/model-reviewer.ts';
import type { ModelSettings, ReviewLimits } from '../../capabilities/reviews/model/model-settings.ts';
import type { LearningsForReview } from '../../capabilities/reviews/model/review-context.ts';

/** The model of the settings for commands that review without a server. */
export interface LocalModel {
  /** A reviewer for one review, which may spend at most so much, and may follow these Learnings. */
  reviewer(options?: {
    readonly maxUsd?: number | undefined;
    readonly learnings?: LearningsForReview | undefined;
  }): ModelReviewer;
  close(): Promise<void>;
}

/** Loads what a model needs; commands without one do not wait for it. */
export async function openLocalModel(settings: ModelSettings, limits: ReviewLimits): Promise<LocalModel> {
  const [{ anyAddress }, { createOutbound }, { stillParses }, { createModelReviewer }] = await Promise.all([
    import('../../outbound/address-guard.ts'),
    import('../../outbound/outbound.ts'),
    import('../../capabilities/reviews/engine/still-parses.ts'),
    import('../../capabilities/reviews/model/model-reviewer.ts'),
  ]);
  const outbound = createOutbound(anyAddress);
  return {
    reviewer: ({ maxUsd, learnings } = {}) =>
      createModelReviewer({ settings, limits: { ...limits, maxUsd }, outbound, stillParses, learnings }),
    close: () => outbound.close(),
  };
}
