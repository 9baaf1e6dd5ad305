import { useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import { describeBatch } from '../people/wire.ts';
import type { MembershipResult, Team } from './wire.ts';

/** The queries that return teams, or numbers by team. */
const shownIn = (view: View) =>
  ['teams', 'insight-names', 'insight-choices', 'insight-compare'].map((name) => [name, view.id]);

export function useCreateTeam(view: View) {
  return useAction((name: string) => api<Team>('POST', 'teams', { scope: view, body: { name } }), {
    invalidates: shownIn(view),
    done: 'Team created',
  });
}

export function useRenameTeam(view: View, id: string) {
  return useAction((name: string) => api<Team>('PATCH', `teams/${id}`, { scope: view, body: { name } }), {
    invalidates: shownIn(view),
    done: 'Team renamed',
  });
}

/** `onDeleted` leaves the page of the team before the list is loaded again. */
export function useDeleteTeam(view: View, id: string, onDeleted: () => void) {
  return useAction(
    async () => {
      await api('DELETE', `teams/${id}`, { scope: view });
      onDeleted();
    },
    { invalidates: shownIn(view), done: 'Team deleted' },
  );
}

export interface MembershipChange {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

export function useMembershipChange(view: View, id: string) {
  return useAction(
    (change: MembershipChange) =>
      api<MembershipResult>('PATCH', `teams/${id}/members`, { scope: view, body: change }),
    { invalidates: [...shownIn(view), ['team-members', view.id, id]], done: describeBatch },
  );
}
