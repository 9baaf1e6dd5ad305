import { Text } from '@mantine/core';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import { fixableIn, type Run } from './wire.ts';

const suggestions = (count: number) => (count === 1 ? '1 suggestion' : `${count} suggestions`);

/** A button that commits safe suggestions to the branch, which takes a moment. */
export function FixButton({ run, view }: { run: Run; view: View }) {
  const fix = useAction(() => api('POST', `reviews/${run.id}/fix`, { scope: view, body: {} }), {
    invalidates: [['review', view.id, run.id]],
  });
  const count = fixableIn(run).length;
  const isWaiting = run.fix?.status === 'waiting';
  if (run.fix?.status === 'done' || (count === 0 && !isWaiting)) return null;
  return (
    <ConfirmButton
      variant="default"
      loading={fix.isPending || isWaiting}
      question={`Commit ${suggestions(count)}?`}
      consequence="Postil's account at the host adds one commit to the branch of the pull request, unless somebody has pushed since the review."
      confirm="Commit"
      onConfirm={() => fix.mutate(undefined)}
    >
      Commit suggestions
    </ConfirmButton>
  );
}

/** How the last request to commit suggestions ended. */
export function FixNote({ fix }: Pick<Run, 'fix'>) {
  if (fix === null) return null;
  const { status, commit, finding_ids, left_over, reason } = fix;
  return (
    <Text mb="sm" role="status">
      {status === 'waiting' && 'Suggestions are being committed.'}
      {status === 'refused' && `No suggestions were committed. ${reason}`}
      {status === 'done' && `Committed ${suggestions(finding_ids.length)} as ${commit!.slice(0, 10)}.`}
      {left_over > 0 && ` ${suggestions(left_over)} could not be applied safely.`}
    </Text>
  );
}
