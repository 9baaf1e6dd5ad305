import type { Actor } from './actor.ts';
import type { OrgScope } from './org-scope.ts';
import type { Principal } from './principal.ts';

/** Who asks a verb for something, what they may touch, and when; the same for HTTP, the queue and any other way in. */
export interface CallerContext {
  readonly principal: Principal;
  readonly scope: OrgScope;
  readonly actor: Actor;
  readonly now: Date;
  readonly requestId: string;
  readonly ipAddress: string | null;
}
