import type { Outcome } from './check-facts.ts';

/** Why there is no answer, for people. */
export const missingAnswers = {
  budget: 'The budget for the model is used up.',
  time: 'The model took too long to answer.',
  model_failed: 'The model did not give an answer that can be used.',
} as const;

/** What a model makes of a question; or why it made nothing of it, which another time may be otherwise. */
export type CheckAnswer = Outcome | { readonly missing: keyof typeof missingAnswers };
