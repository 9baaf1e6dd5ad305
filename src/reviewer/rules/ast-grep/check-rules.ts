import { type PartRunner, partAt } from '../../process/part.ts';
import { PartEnded } from '../../process/part-failure.ts';
import type { RuleTextFault } from './check-rules-part.ts';

const checkPart = partAt<typeof import('./check-rules-part.ts')>('check-rules-part', import.meta.url);

/** Finds everything that makes an organization's rules unusable; runs in a review process. */
export async function checkAstGrepRules(
  processes: PartRunner,
  group: string,
  texts: readonly string[],
): Promise<readonly RuleTextFault[]> {
  if (texts.length === 0) return [];
  const order = { group, signal: new AbortController().signal, isUrgent: true };
  return processes.run(checkPart, texts, order).catch((error: unknown) => {
    if (error instanceof PartEnded) return [{ text: 0, fault: error.message }];
    throw error;
  });
}
