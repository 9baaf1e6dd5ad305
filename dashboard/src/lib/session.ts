import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { z } from 'zod';
import type {
  sessionDescription,
  signInOptions,
} from '../../../src/capabilities/dashboard-session/schemas.ts';
import { ApiError, api, type Scope } from './api.ts';

export type Session = z.output<typeof sessionDescription>;
export type SignInOptions = z.output<typeof signInOptions>;
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

/** The view with this kind and id, if the session can see it. */
export function findView(session: Session, kind: string, id: string): View | undefined {
  if (kind === 'workspaces') {
    const workspace = session.workspaces.find((candidate) => candidate.id === id);
    return (
      workspace && {
        kind: 'workspace',
        id,
        name: workspace.name,
        isAdmin: true,
        isEnterprise: true,
        isSelfHosted: false,
        isOwnAdmin: workspace.is_own_admin,
        organizations: session.organizations.filter((organization) => organization.workspace_id === id),
        userId: null,
        may: () => true,
      }
    );
  }
  const organization = session.organizations.find((candidate) => candidate.id === id);
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
    may: (permission) => organization.permissions.includes(permission),
  };
}

/** The view a person starts with: a workspace, or else an organization. */
export function firstView(session: Session): { kind: string; id: string } | undefined {
  const [workspace] = session.workspaces;
  const [organization] = session.organizations;
  if (workspace !== undefined) return { kind: 'workspaces', id: workspace.id };
  return organization && { kind: 'organizations', id: organization.id };
}

/** The view that the URL names. */
export function useView(): View {
  const session = useSession();
  const { kind, id } = useParams({ strict: false }) as { kind: string; id: string };
  const view = useMemo(() => findView(session, kind, id), [session, kind, id]);
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
