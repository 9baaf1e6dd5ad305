import { z } from 'zod';
import { defaultMemoryMb, type ReviewProcessSettings } from './review-processes.ts';

const wholeNumber = (least: number, most: number) =>
  z.string().transform((text, issues) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    issues.addIssue(`must be a whole number from ${least} to ${most}`);
    return z.NEVER;
  });

/** The environment variables of the review processes. */
export const processEnvironment = z.object({
  POSTIL_REVIEW_PROCESSES: wholeNumber(1, 64).optional(),
  // Less would not suffice for the syntax tree of one large file.
  POSTIL_REVIEW_MEMORY_MB: wholeNumber(256, 65_536).default(defaultMemoryMb),
});

export function processSettingsOf(variables: z.output<typeof processEnvironment>): ReviewProcessSettings {
  return { count: variables.POSTIL_REVIEW_PROCESSES, memoryMb: variables.POSTIL_REVIEW_MEMORY_MB };
}
