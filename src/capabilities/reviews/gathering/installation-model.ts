import type { Outbound } from '../../../outbound/outbound.ts';
import type { ModelSettings, ReviewLimits } from '../model/model-settings.ts';
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
    // With the first use, as in review-units.ts.
    async open(options) {
      const { createModelReviewer } = await import('../model/model-reviewer.ts');
      return createModelReviewer({ ...options, settings: model, outbound });
    },
    async ask(question, options, signal) {
      const { answerAboutChange } = await import('../model/answer-about-change.ts');
      return answerAboutChange(model, outbound, question, options, signal);
    },
  };
}
