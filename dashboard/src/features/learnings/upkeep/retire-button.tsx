import { Button } from '@mantine/core';
import { useAction } from '../../../components/action.ts';
import { api } from '../../../lib/api.ts';
import type { View } from '../../../lib/session.ts';
import { type LearningUsage, learningKeys, type RetirementResult, scopeOfLearning } from '../wire.ts';

/** Retires a Learning, or restores a retired one. */
export function RetireButton({ view, learning }: { view: View; learning: LearningUsage }) {
  const isRetired = learning.retired_at !== null;
  const change = useAction(
    () =>
      api<RetirementResult>('POST', 'learnings/retirements', {
        scope: scopeOfLearning(view, learning),
        body: { action: isRetired ? 'restore' : 'retire', ids: [learning.id] },
      }),
    {
      invalidates: learningKeys(view),
      done: ({ results }) =>
        results[0]!.outcome === 'done'
          ? isRetired
            ? 'Restored; reviews follow it again'
            : 'Retired; reviews no longer follow it'
          : { message: 'Somebody else has changed it meanwhile', isTotal: true },
    },
  );
  return (
    <Button size="xs" variant="default" loading={change.isPending} onClick={() => change.mutate(undefined)}>
      {isRetired ? 'Restore' : 'Retire'}
    </Button>
  );
}
