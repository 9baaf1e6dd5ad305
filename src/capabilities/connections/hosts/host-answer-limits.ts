import type { JsonLimits } from '../../../lib/wire/parse-json.ts';

/** How much a host may answer to a call. */
export interface AnswerLimits extends JsonLimits {
  readonly maxAnswerBytes: number;
}

const kib = 1024;
const mib = 1024 * kib;
/** Deeper than any answer of a host. */
const maxDepth = 64;

/**
 * What kind of answer is expected: something short such as an account or a version, one object with texts that people wrote,
 * or a page of a list.
 */
export type AnswerSize = 'short' | 'one' | 'page';

export const answerLimits: Readonly<Record<AnswerSize, AnswerLimits>> = {
  short: { maxAnswerBytes: 64 * kib, maxDepth, maxEntries: 2_000 },
  one: { maxAnswerBytes: 4 * mib, maxDepth, maxEntries: 50_000 },
  page: { maxAnswerBytes: 32 * mib, maxDepth, maxEntries: 200_000 },
};
