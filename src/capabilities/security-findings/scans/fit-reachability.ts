import type { Reachability } from '../../../lib/sarif/scan-finding.ts';
import { isShallow, MAX_DEPTH } from '../../../lib/sarif/storable-json.ts';

/** Maximum length of the JSON of a finding's call stacks, so that a page with a single finding always fits the response. */
export const MAX_CALL_STACKS_LENGTH = 256 * 1024;

/** Keeps the first call stacks that fit within the limit of one finding and are not nested too deeply. */
export function fitReachability({ callStacks, explanation }: Reachability): Reachability {
  const kept: unknown[] = [];
  let length = 2;
  for (const stack of callStacks) {
    if (!isShallow(stack, MAX_DEPTH - 1)) break;
    length += JSON.stringify(stack).length + 1;
    if (length > MAX_CALL_STACKS_LENGTH) break;
    kept.push(stack);
  }
  return { callStacks: kept, explanation };
}
