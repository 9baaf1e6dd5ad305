import type { KeyKind } from './api-key-value.ts';
import type { Permission } from './permissions.ts';

/**
 * How each kind of key may use an endpoint, as data; `test/access-table.ts` has the matrix of all endpoints.
 * "own" is the key's bound organization, whatever `org_id` says.
 */
export interface KeyAccess {
  readonly organization: 'own' | 'forbidden';
  readonly user: 'own' | 'forbidden';
  /** all: the whole workspace; all_or_one: `org_id` may narrow it; one: `org_id` is required; people: `org_id` is rejected. */
  readonly workspace: 'all' | 'all_or_one' | 'one' | 'people' | 'forbidden';
  /** all: every authorized organization; all_or_selected: `organization_ids` may narrow it; home: the key's home organization; home_one_or_every: `org_id` may name one or ALL. */
  readonly instance: 'all' | 'all_or_selected' | 'home' | 'home_one_or_every' | 'forbidden';
  /** gone_unless_every: 410, except that `org_id` = ALL is reported as invalid first. */
  readonly legacy: 'own' | 'gone' | 'gone_unless_every' | 'forbidden';
  readonly agentic: 'own' | 'forbidden';
}

/** The access rule of endpoints that administer a single organization at a time; agentic keys are rejected. */
export const oneOrganization: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'one',
  instance: 'home',
  legacy: 'gone',
  agentic: 'forbidden',
};

const rejecting: readonly KeyAccess[KeyKind][] = ['forbidden', 'gone', 'gone_unless_every'];

/** Whether keys of this kind may use the endpoint at all. */
export function isAccepted(access: KeyAccess, kind: KeyKind): boolean {
  return !rejecting.includes(access[kind]);
}

/** The plan that an endpoint requires of the organizations in scope, and the right that the caller must have there. */
export interface Requirements {
  readonly plan: 'any' | 'enterprise' | 'self_hosted_enterprise';
  readonly right: 'none' | 'admin' | Permission;
}
