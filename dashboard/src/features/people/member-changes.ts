import { useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import { inBatches } from '../../lib/batches.ts';
import type { View } from '../../lib/session.ts';
import { type BatchResult, describeBatch } from './wire.ts';

/** Sends a change for any number of people, and merges the results of the batches. */
async function changeAll(ids: readonly string[], send: (batch: readonly string[]) => Promise<BatchResult>) {
  const results = await inBatches(ids, send);
  return {
    succeeded: results.flatMap(({ succeeded }) => succeeded),
    failed: results.flatMap(({ failed }) => failed),
  };
}

const invalidatedIn = (view: View) => [['people', view.id], ['session']];

export interface SeatChange {
  readonly action: 'assign' | 'unassign';
  readonly ids: readonly string[];
}

/**
 * Assigns or unassigns seats. People are identified by their own ids in a workspace, and by their accounts in an organization.
 */
export function useSeatChange(view: View) {
  return useAction(
    ({ action, ids }: SeatChange) =>
      changeAll(ids, (batch) => {
        const people =
          view.kind === 'workspace'
            ? { members: batch.map((user_id) => ({ user_id })) }
            : { user_ids: batch };
        return api('POST', 'users/seats', { scope: view, body: { action, ...people } });
      }),
    { invalidates: invalidatedIn(view), done: describeBatch },
  );
}

/** Assigns a role to people. */
export function useRoleChange(view: View) {
  return useAction(
    ({ role, ids }: { role: string; ids: readonly string[] }) =>
      changeAll(ids, (user_ids) => api('POST', `roles/${role}/users`, { scope: view, body: { user_ids } })),
    { invalidates: invalidatedIn(view), done: describeBatch },
  );
}
