import type { Outbound } from '../../../outbound/outbound.ts';
import { answerAboutChange } from '../model/answer-about-change.ts';
import { createModelReviewer } from '../model/model-reviewer.ts';
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
    open: (options) => createModelReviewer({ ...options, settings: model, outbound }),
    ask: (question, options, signal) => answerAboutChange(model, outbound, question, options, signal),
  };
}
