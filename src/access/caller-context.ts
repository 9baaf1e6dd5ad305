import type { OrganizationId } from '../lib/ids.ts';
import type { Actor } from './actor.ts';
import type { OrgScope } from './org-scope.ts';
import type { Principal } from './principal.ts';

/** Somebody whose rights can end at any moment. */
export interface Revocable {
  /**
   * Throws when the caller has lost, since the request was let in, what it needs to change something in these organizations.
   * `recordChanges` asks it before a change is committed.
   */
  confirmRights(organizationIds: readonly OrganizationId[]): Promise<void>;
}

/** Who asks a verb for something, what they may touch, and when; the same for HTTP, the queue and any other way in. */
export interface CallerContext extends Revocable {
  readonly principal: Principal;
  readonly scope: OrgScope;
  readonly actor: Actor;
  readonly now: Date;
  readonly requestId: string;
  readonly ipAddress: string | null;
}
