import type { Reachability } from '../sarif/scan-finding.ts';
import { isShallow, MAX_DEPTH } from '../sarif/storable-json.ts';

/** Longest JSON of the call stacks of one finding; with it, a page of a single finding always fits the response. */
export const MAX_CALL_STACKS_LENGTH = 256 * 1024;

/** Keeps the leading call stacks that fit in the space of one finding and are not nested too deep. */
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
