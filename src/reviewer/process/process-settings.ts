import { z } from 'zod';
import { wholeNumber } from '../../lib/wire/whole-number.ts';
import { defaultMemoryMb } from './process-defaults.ts';
import type { ReviewProcessSettings } from './review-processes.ts';

/** The environment variables of the review processes. */
export const processEnvironment = z.object({
  POSTIL_REVIEW_PROCESSES: wholeNumber(1, 64).optional(),
  // Less is not enough for the syntax tree of one large file.
  POSTIL_REVIEW_MEMORY_MB: wholeNumber(256, 65_536).default(defaultMemoryMb),
});

export function processSettingsOf(variables: z.output<typeof processEnvironment>): ReviewProcessSettings {
  return { count: variables.POSTIL_REVIEW_PROCESSES, memoryMb: variables.POSTIL_REVIEW_MEMORY_MB };
}
