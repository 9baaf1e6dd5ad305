import type { Db } from '../db/database.ts';
import { AppError } from '../lib/app-error.ts';
import { type OrganizationId, providers } from '../lib/ids.ts';
import type { KeyAccess, Requirements } from './access-rule.ts';
import { organizationsOfInstance, organizationsOfWorkspace } from './organization-rows.ts';
import type { InstancePrincipal, OrganizationAccess, Principal, WorkspacePrincipal } from './principal.ts';

declare const brand: unique symbol;

/** The organizations that one request may access. Created only in this file; verbs cannot be called without one. */
export interface OrgScope {
  readonly organizations: readonly OrganizationAccess[];
  /** Equal for every key of the same scope and selection; cursors are bound to it. */
  readonly identity: string;
  /** Whether the caller did not name the organizations, so that those without the required right are silently left out. */
  readonly isImplicit: boolean;
  readonly [brand]: true;
}

/** The organizations that the caller named in the query or the body. */
export interface ScopeSelection {
  readonly orgId?: string | undefined;
  readonly organizationIds?: readonly string[] | undefined;
}

function makeScope(
  organizations: readonly OrganizationAccess[],
  identity: string,
  isImplicit = false,
): OrgScope {
  return { organizations, identity, isImplicit } as OrgScope;
}

/** The scope of one organization out of a larger one, for work that runs organization by organization. */
export function scopeOfOne(scope: OrgScope, organizationId: OrganizationId): OrgScope {
  const access = scope.organizations.find(({ organization }) => organization.id === organizationId);
  if (access === undefined) throw new AppError('NOT_FOUND', 'Organization not found');
  return makeScope([access], `organization:${organizationId}`);
}

/** The single organization of a scope that is known to have exactly one. */
export function onlyOrganization(scope: OrgScope): OrganizationAccess {
  const [access, ...others] = scope.organizations;
  if (access === undefined || others.length > 0)
    throw new Error('The scope does not contain exactly one organization');
  return access;
}

/** The ids of the organizations in scope, for a tenant query. */
export function organizationIdsOf(scope: OrgScope): OrganizationId[] {
  return scope.organizations.map(({ organization }) => organization.id);
}

function matchesOrgId(access: OrganizationAccess, orgId: string): boolean {
  const { provider, providerOrgId } = access.organization;
  const separator = orgId.indexOf(':');
  const prefix = orgId.slice(0, Math.max(separator, 0));
  if (providers.some((name) => name === prefix))
    return provider === prefix && providerOrgId === orgId.slice(separator + 1);
  return providerOrgId === orgId;
}

/** `ALL`, in upper or lower case, means every organization of an instance key. */
export function meansEveryOrganization(orgId: unknown): boolean {
  return typeof orgId === 'string' && orgId.toUpperCase() === 'ALL';
}

async function workspaceScope(
  db: Db,
  principal: WorkspacePrincipal,
  rule: KeyAccess['workspace'],
  { orgId }: ScopeSelection,
): Promise<OrgScope> {
  if (!principal.ownerIsAdmin) {
    throw new AppError(
      'WORKSPACE_ADMIN_REQUIRED',
      'The owner of this workspace token is no longer a workspace admin',
    );
  }
  const identity = `workspace:${principal.workspace.id}`;
  if (orgId === undefined && rule === 'one')
    throw new AppError('ORG_ID_REQUIRED', 'A workspace token must name one organization: org_id is required');
  const organizations = await organizationsOfWorkspace(db, principal);
  if (orgId === undefined) return makeScope(organizations, identity);
  const matches = organizations.filter((access) => matchesOrgId(access, orgId));
  if (matches.length > 1) {
    throw new AppError(
      'INVALID_REQUEST',
      'org_id: several organizations of the workspace have this id; use the form provider:id',
    );
  }
  if (matches.length === 0)
    throw new AppError('ORGANIZATION_NOT_FOUND', 'No active organization of the workspace has this org_id');
  return makeScope(matches, `${identity}/organization:${matches[0]!.organization.id}`);
}

type InstanceOrganization = OrganizationAccess & { authorized: boolean };

function homeOf(
  principal: InstancePrincipal,
  authorized: readonly InstanceOrganization[],
): OrganizationAccess {
  if (principal.homeOrganizationId === null) {
    if (authorized.length === 1) return authorized[0]!;
    throw new AppError(
      'ORG_ID_REQUIRED',
      'This instance key covers several organizations and has no home organization',
    );
  }
  const home = authorized.find(({ organization }) => organization.id === principal.homeOrganizationId);
  if (home === undefined)
    throw new AppError('ORGANIZATION_NOT_FOUND', "The key's home organization is not active");
  return home;
}

function selectOfInstance(
  all: readonly InstanceOrganization[],
  ids: readonly string[],
): OrganizationAccess[] {
  const selected = all.filter((access) => ids.some((id) => matchesOrgId(access, id)));
  if (selected.length === 0)
    throw new AppError('ORGANIZATION_NOT_FOUND', 'No active organization of the instance matches');
  if (selected.some(({ authorized }) => !authorized)) {
    throw new AppError('ORGANIZATION_FORBIDDEN', 'The key is not authorized for one of these organizations');
  }
  return selected;
}

async function instanceScope(
  db: Db,
  principal: InstancePrincipal,
  rule: KeyAccess['instance'],
  { orgId, organizationIds }: ScopeSelection,
): Promise<OrgScope> {
  const all = await organizationsOfInstance(db, principal);
  const authorized = all.filter((access) => access.authorized);
  const one = (access: OrganizationAccess) => makeScope([access], `organization:${access.organization.id}`);
  if (rule === 'home') return one(homeOf(principal, authorized));
  if (rule === 'home_one_or_every' && !meansEveryOrganization(orgId)) {
    return one(orgId === undefined ? homeOf(principal, authorized) : selectOfInstance(all, [orgId])[0]!);
  }
  const coverage = principal.everyOrganization
    ? 'every'
    : authorized
        .map(({ organization }) => organization.id)
        .sort()
        .join(',');
  const identity = `instance:${principal.instance.id}:${coverage}`;
  if (rule === 'all_or_selected' && organizationIds !== undefined) {
    const selected = selectOfInstance(all, organizationIds);
    return makeScope(
      selected,
      `${identity}/${selected
        .map(({ organization }) => organization.id)
        .sort()
        .join(',')}`,
    );
  }
  // ALL means all of them: if the right is missing in one, the request is rejected.
  return makeScope(authorized, identity, rule !== 'home_one_or_every');
}

/** Decides which organizations the request may access, by the rule for its kind of key. Fails closed. */
export async function resolveScope(
  db: Db,
  principal: Principal,
  rules: KeyAccess,
  selection: ScopeSelection,
): Promise<OrgScope> {
  switch (principal.kind) {
    case 'workspace':
      return workspaceScope(db, principal, rules.workspace, selection);
    case 'instance':
      return instanceScope(db, principal, rules.instance, selection);
    default:
      return makeScope([principal.access], `organization:${principal.access.organization.id}`);
  }
}

function checkPlan({ organization }: OrganizationAccess, plan: Requirements['plan']): void {
  if (plan === 'any') return;
  if (plan === 'self_hosted_enterprise') {
    if (!organization.subscriptionActive)
      throw new AppError('NO_ACTIVE_SUBSCRIPTION', 'The organization has no active subscription');
    if (organization.instanceId === null)
      throw new AppError('SELF_HOSTED_ONLY', 'This endpoint is only available to self-hosted organizations');
  }
  if (organization.plan !== 'enterprise' || !organization.subscriptionActive) {
    throw new AppError('ENTERPRISE_REQUIRED', 'The Enterprise plan is required');
  }
}

function hasRight({ rights }: OrganizationAccess, right: Requirements['right']): boolean {
  if (right === 'none') return true;
  return right === 'admin' ? rights.isAdmin : rights.permissions.has(right);
}

function notAdmin(): AppError {
  return new AppError('NOT_ADMIN', 'The Admin role is required');
}

/** Checks plan, then right, in every organization of the scope; an implicit scope keeps those where the right exists. */
export function authorize(scope: OrgScope, { plan, right }: Requirements): OrgScope {
  for (const access of scope.organizations) checkPlan(access, plan);
  const permitted = scope.organizations.filter((access) => hasRight(access, right));
  const isEnough = scope.isImplicit
    ? permitted.length > 0 || scope.organizations.length === 0
    : permitted.length === scope.organizations.length;
  if (!isEnough) {
    throw right === 'admin'
      ? notAdmin()
      : new AppError('PERMISSION_DENIED', `The permission ${right} is required`);
  }
  return makeScope(permitted, scope.identity, scope.isImplicit);
}

/**
 * Throws if the caller has lost something that the request was admitted with in one of these organizations: access to the
 * organization, its plan, the right, or the admin role.
 */
export function checkStillGranted(
  granted: OrgScope,
  now: OrgScope,
  requirements: Requirements,
  organizationIds: readonly OrganizationId[],
): void {
  for (const id of new Set(organizationIds)) {
    const current = authorize(scopeOfOne(now, id), requirements);
    const hadAdmin = onlyOrganization(scopeOfOne(granted, id)).rights.isAdmin;
    if (hadAdmin && !onlyOrganization(current).rights.isAdmin) throw notAdmin();
  }
}
