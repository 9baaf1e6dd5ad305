import type { OrganizationId } from '../lib/ids.ts';
import type { Actor } from './actor.ts';
import type { OrgScope } from './org-scope.ts';
import type { Principal } from './principal.ts';

/** A caller whose rights can be revoked at any time. */
export interface Revocable {
  /**
   * Throws if, since the request was admitted, the caller has lost the rights to change something in these organizations.
   * `recordChanges` calls it before a change is committed.
   */
  confirmRights(organizationIds: readonly OrganizationId[]): Promise<void>;
}

/**
 * The caller of a verb, the organizations in scope, and the time of the call; the same for HTTP, the queue and any other entry
 * point.
 */
export interface CallerContext extends Revocable {
  readonly principal: Principal;
  readonly scope: OrgScope;
  readonly actor: Actor;
  readonly now: Date;
  readonly requestId: string;
  readonly ipAddress: string | null;
}
