import { type QueryClient, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { z } from 'zod';
import type {
  places,
  sessionDescription,
  signInOptions,
} from '../../../src/capabilities/dashboard-session/schemas.ts';
import { ApiError, api, type Scope } from './api.ts';

export type Session = z.output<typeof sessionDescription>;
export type SignInOptions = z.output<typeof signInOptions>;
export type Places = z.output<typeof places>;
export type Organization = Session['organizations'][number];

/** Who is signed in; null when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    const { is_signed_in } = await api<SignInOptions>('GET', 'sign-in');
    return is_signed_in ? api<Session>('GET', 'session') : null;
  },
  staleTime: 30_000,
});

/** The session of the signed-in person, for pages that require signing in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new ApiError(401, 'UNAUTHORIZED', 'Sign in to continue');
  return data;
}

/** The organization or workspace on display, and what the person may do there. */
export interface View extends Scope {
  readonly name: string;
  readonly isAdmin: boolean;
  readonly isEnterprise: boolean;
  readonly isSelfHosted: boolean;
  /** Whether the person can own a workspace token. */
  readonly isOwnAdmin: boolean;
  readonly organizations: readonly Organization[];
  /** The person's own account in the organization. */
  readonly userId: string | null;
  may(permission: string): boolean;
}

/** The view with this kind and id, if it is among these. */
export function findView(places: Places, kind: string, id: string): View | undefined {
  if (kind === 'workspaces') {
    const workspace = places.workspaces.find((candidate) => candidate.id === id);
    return (
      workspace && {
        kind: 'workspace',
        id,
        name: workspace.name,
        isAdmin: true,
        isEnterprise: true,
        isSelfHosted: false,
        isOwnAdmin: workspace.is_own_admin,
        organizations: places.organizations.filter((organization) => organization.workspace_id === id),
        userId: null,
        may: () => true,
      }
    );
  }
  const organization = places.organizations.find((candidate) => candidate.id === id);
  if (kind !== 'organizations' || organization === undefined) return undefined;
  return {
    kind: 'organization',
    id,
    name: organization.name,
    isAdmin: organization.is_admin,
    isEnterprise: organization.is_enterprise,
    isSelfHosted: organization.is_self_hosted,
    isOwnAdmin: false,
    organizations: [organization],
    userId: organization.user_id,
    may: (permission) => organization.is_admin || organization.permissions.includes(permission),
  };
}

/** The view a person starts with: a workspace, or else an organization. */
export function firstView(session: Session): { kind: string; id: string } | undefined {
  const [workspace] = session.workspaces;
  const [organization] = session.organizations;
  if (workspace !== undefined) return { kind: 'workspaces', id: workspace.id };
  return organization && { kind: 'organizations', id: organization.id };
}

const placeQuery = (kind: string, id: string) =>
  queryOptions({
    // Below the key of the session, because a change of permissions invalidates both.
    queryKey: [...sessionQuery.queryKey, kind, id],
    queryFn: () => api<Places>('GET', `places/${kind === 'workspaces' ? 'workspace' : 'organization'}:${id}`),
    staleTime: 30_000,
  });

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a view must be requested: the session lists only some of the person's views, and this may be one of the others. */
const mustAskFor = (session: Session, kind: string, id: string) =>
  session.has_more && ['organizations', 'workspaces'].includes(kind) && uuid.test(id);

/** The places that include this one if the person can see it: those of the session, or this one alone. */
export async function loadPlaces(client: QueryClient, session: Session, kind: string, id: string) {
  return mustAskFor(session, kind, id) ? client.ensureQueryData(placeQuery(kind, id)) : session;
}

/** Like `loadPlaces`, for components; undefined until it is loaded. */
export function usePlaces(session: Session, kind: string, id: string): Places | undefined {
  const isAsked = mustAskFor(session, kind, id);
  const { data } = useQuery({ ...placeQuery(kind, id), enabled: isAsked, throwOnError: true });
  return isAsked ? data : session;
}

/** The view that the URL names. */
export function useView(): View {
  const session = useSession();
  const { kind, id } = useParams({ strict: false }) as { kind: string; id: string };
  const places = usePlaces(session, kind, id);
  const view = useMemo(() => places && findView(places, kind, id), [places, kind, id]);
  if (view === undefined) throw new ApiError(404, 'NOT_FOUND', 'No such organization or workspace');
  return view;
}

/** The ways to sign in. */
export function useSignInOptions() {
  return useQuery({
    queryKey: ['sign-in'],
    queryFn: () => api<SignInOptions>('GET', 'sign-in'),
  });
}
