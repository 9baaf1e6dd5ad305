import type { Outbound } from '../../../outbound/outbound.ts';
import type { ModelSettings, ReviewLimits } from '../../../reviewer/model/model-settings.ts';
import type { InstallationModel } from './organization-model.ts';

/** The model that the operator has set, if there is one. */
export function installationModel(
  {
    model,
    reviewLimits,
  }: { readonly model?: ModelSettings | undefined; readonly reviewLimits?: ReviewLimits },
  outbound: Outbound,
): InstallationModel | undefined {
  if (model === undefined || reviewLimits === undefined) return undefined;
  return {
    name: model.name,
    limits: reviewLimits,
    maxUsd: (reviewLimits.maxTokens * Math.max(model.priceIn, model.priceOut)) / 1e6,
    // Imported on first use, as in review-units.ts.
    async open(options) {
      const [{ createModelReviewer }, { clientOf }] = await Promise.all([
        import('../../../reviewer/model/review-by-model.ts'),
        import('../../../models/model-client.ts'),
      ]);
      return createModelReviewer({ ...options, settings: model, openClient: clientOf(model, outbound) });
    },
    async ask(question, options, signal) {
      const [{ answerAboutChange }, { clientOf }] = await Promise.all([
        import('../../../reviewer/model/answering/answer-about-change.ts'),
        import('../../../models/model-client.ts'),
      ]);
      return answerAboutChange(model, clientOf(model, outbound), question, options, signal);
    },
    async judge(question, shown, { limits, repositoryUrl, onUsage }, signal) {
      const [{ askModel }, { Budget }, { clientOf }] = await Promise.all([
        import('../../../reviewer/model/answering/answer-check.ts'),
        import('../../../reviewer/model/budget.ts'),
        import('../../../models/model-client.ts'),
      ]);
      const budget = new Budget(model, limits, signal);
      const client = clientOf(model, outbound)(Date.now() + limits.maxSeconds * 1000);
      const answer = await askModel(client, budget, question, shown, { repositoryUrl });
      await onUsage(budget.usage);
      signal.throwIfAborted();
      return answer;
    },
  };
}
