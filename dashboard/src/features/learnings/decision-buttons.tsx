import { Button } from '@mantine/core';
import { useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import { inBatches } from '../../lib/batches.ts';
import type { View } from '../../lib/session.ts';
import { type DecisionResult, learningKeys, type PendingLearning, scopeOfLearning } from './wire.ts';

type Decision = 'approved' | 'disapproved';

function describeResults(decision: Decision, results: DecisionResult['results']): string {
  const done = results.filter(({ outcome }) => outcome === 'done').length;
  const late = results.length - done;
  return `${done} ${decision}${late > 0 ? `, ${late} already decided` : ''}`;
}

/** Approves or disapproves any number of pending Learnings, organization by organization. */
export function DecisionButtons({
  view,
  picked,
  onDecided,
}: {
  view: View;
  picked: readonly PendingLearning[];
  onDecided: () => void;
}) {
  const decide = useAction(
    async (decision: Decision) => {
      const results: DecisionResult['results'] = [];
      for (const group of Map.groupBy(picked, (learning) => scopeOfLearning(view, learning).id).values()) {
        const scope = scopeOfLearning(view, group[0]!);
        const ids = group.map(({ id }) => id);
        const answers = await inBatches(ids, (batch) =>
          api<DecisionResult>('POST', 'learnings/decisions', { scope, body: { decision, ids: batch } }),
        );
        results.push(...answers.flatMap((answer) => answer.results));
      }
      onDecided();
      return describeResults(decision, results);
    },
    { invalidates: learningKeys(view), done: (message) => message },
  );
  const button = { size: 'xs', disabled: picked.length === 0, loading: decide.isPending } as const;
  return (
    <>
      <Button {...button} onClick={() => decide.mutate('approved')}>
        Approve
      </Button>
      <Button {...button} variant="default" onClick={() => decide.mutate('disapproved')}>
        Disapprove
      </Button>
    </>
  );
}
