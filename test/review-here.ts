import type { Change } from '../src/reviewer/change/change.ts';
import { partsOf } from '../src/reviewer/process/part.ts';
import { workHere } from '../src/reviewer/process/run-here.ts';
import { reviewChange } from '../src/reviewer/review/review-change.ts';
import type { ReviewRequest } from '../src/reviewer/review/review-request.ts';
import type { AnyRuleSource } from '../src/reviewer/rule-source.ts';

/** A review of a local change, with these rule sources and in this process. */
export interface ReviewHere extends Omit<ReviewRequest, 'change' | 'run' | 'own'> {
  readonly change: Change;
  readonly sources: readonly AnyRuleSource[];
}

export function reviewHere({ change, sources, ...given }: ReviewHere) {
  const processes = workHere(
    async () => sources,
    async () => change,
  );
  const { signal, deadline } = given;
  return reviewChange({
    ...given,
    change: { kind: 'diff', file: 'given' },
    own: { astGrepRules: [], searchPath: undefined },
    run: partsOf(processes, { group: 'test', signal, deadline }),
  });
}
