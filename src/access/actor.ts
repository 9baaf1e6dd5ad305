import type { Principal } from './principal.ts';
import type { Session } from './session.ts';

/** Who made a change, as recorded in the audit log. */
export interface Actor {
  readonly type: 'user' | 'api_key' | 'system';
  readonly id: string | null;
  readonly name: string;
  readonly subtitle: string | null;
  readonly isBot: boolean;
}

/** The operator and the service's own schedules. */
export const systemActor: Actor = { type: 'system', id: null, name: 'System', subtitle: null, isBot: true };

/** The actor of a request made with a key: its owner, or the key itself if it has none. */
export function actorOf(principal: Principal): Actor {
  const subtitle = `API key ${principal.keyName}`;
  const { owner } = principal;
  if (owner === null)
    return { type: 'api_key', id: principal.keyId, name: principal.keyName, subtitle, isBot: true };
  return { type: 'user', id: owner.userId ?? owner.personId, name: owner.name, subtitle, isBot: owner.isBot };
}

/** The actor of a change to the installation: an admin signed in to the dashboard, or otherwise the operator. */
export function actorOfInstallation(session: Session | undefined): Actor {
  if (session === undefined) return systemActor;
  return { type: 'user', id: session.personId, name: session.email, subtitle: 'Dashboard', isBot: false };
}
