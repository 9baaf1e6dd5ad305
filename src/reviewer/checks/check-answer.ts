import type { Outcome } from './check-facts.ts';

/** The texts for reasons why there is no answer. */
export const missingAnswers = {
  budget: 'The budget for the model is used up.',
  time: 'The model took too long to answer.',
  model_failed: 'The model did not give a usable answer.',
} as const;

/** A model's answer to a question, or the reason why there is none; asking again may succeed. */
export type CheckAnswer = Outcome | { readonly missing: keyof typeof missingAnswers };
