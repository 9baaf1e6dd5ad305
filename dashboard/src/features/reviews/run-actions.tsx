import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import { FixButton } from './fix.tsx';
import { useRelease } from './use-release.ts';
import { isUnfinished, type Run, waitingIn } from './wire.ts';

/** The actions on a review. */
export function RunActions({ run, view }: { run: Run; view: View }) {
  const navigate = useNavigate();
  const invalidates = [
    ['review', view.id, run.id],
    ['reviews', view.id],
  ];
  const cancel = useAction(() => api('DELETE', `reviews/${run.id}`, { scope: view }), {
    invalidates,
    done: 'The review was stopped',
  });
  const again = useAction(
    async () => {
      const body = { repository_id: run.repository_id, pull_request: run.pull_request, mode: 'full' };
      const { id } = await api<{ id: string }>('POST', 'reviews', { scope: view, body });
      await navigate({ to: `/organizations/${view.id}/reviews/${id}` as never });
    },
    { invalidates },
  );
  const release = useRelease(run, view);
  return (
    <>
      {waitingIn(run).length > 0 && (
        <Button loading={release.isPending} onClick={() => release.mutate(undefined)}>
          Release all
        </Button>
      )}
      {isUnfinished(run) && (
        <ConfirmButton
          variant="default"
          loading={cancel.isPending}
          question="Stop this review?"
          consequence="Its findings so far are discarded."
          confirm="Stop"
          onConfirm={() => cancel.mutate(undefined)}
        >
          Stop
        </ConfirmButton>
      )}
      {!isUnfinished(run) && <FixButton run={run} view={view} />}
      {!isUnfinished(run) && run.pull_request !== null && (
        <Button variant="default" loading={again.isPending} onClick={() => again.mutate(undefined)}>
          Review again
        </Button>
      )}
    </>
  );
}
