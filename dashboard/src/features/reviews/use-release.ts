import { useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import type { Run } from './wire.ts';

/** Releases some findings of a review, or all of them. They are posted a moment later. */
export function useRelease({ id }: Pick<Run, 'id'>, view: View) {
  return useAction(
    (findings: readonly string[] | undefined) =>
      api('POST', `reviews/${id}/release`, {
        scope: view,
        body: findings === undefined ? {} : { finding_ids: findings },
      }),
    { invalidates: [['review', view.id, id]], done: 'Released; it will be posted in a moment' },
  );
}
