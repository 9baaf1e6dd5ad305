import type {
  InstanceId,
  OrganizationId,
  PersonId,
  Provider,
  ProviderOrgId,
  ProviderUserId,
  WorkspaceId,
} from '../lib/ids.ts';
import type { KeyKind } from './api-key-value.ts';
import type { Rights } from './permissions.ts';

/** The fields of an organization that every request needs. */
export interface Organization {
  readonly id: OrganizationId;
  readonly provider: Provider;
  readonly providerOrgId: ProviderOrgId;
  readonly instanceId: InstanceId | null;
  readonly workspaceId: WorkspaceId | null;
  readonly name: string;
  readonly plan: 'free' | 'pro' | 'enterprise';
  readonly subscriptionActive: boolean;
}

/** An organization and the caller's rights in it. */
export interface OrganizationAccess {
  readonly organization: Organization;
  readonly rights: Rights;
}

/** The owner of a key, whose rights it has. */
export interface KeyOwner {
  /** The account at the Git provider; null for the owner of a workspace token, who is a person. */
  readonly userId: ProviderUserId | null;
  readonly personId: PersonId | null;
  readonly name: string;
  readonly email: string | null;
  readonly isBot: boolean;
}

interface KeyFacts<Kind extends KeyKind> {
  readonly kind: Kind;
  readonly keyId: string;
  readonly keyName: string;
  readonly expiresAt: Date | null;
}

/** A key bound to one organization. Legacy keys have no owner and no rights. */
export interface BoundPrincipal extends KeyFacts<'organization' | 'user' | 'legacy' | 'agentic'> {
  readonly owner: KeyOwner | null;
  readonly access: OrganizationAccess;
}

/** A token of a workspace; `ownerIsAdmin` is read again on every use. */
export interface WorkspacePrincipal extends KeyFacts<'workspace'> {
  readonly owner: KeyOwner;
  readonly workspace: { readonly id: WorkspaceId; readonly slug: string; readonly name: string };
  readonly ownerIsAdmin: boolean;
}

/** A key of a self-hosted Git provider instance. */
export interface InstancePrincipal extends KeyFacts<'instance'> {
  readonly owner: KeyOwner;
  readonly instance: { readonly id: InstanceId; readonly slug: string };
  readonly everyOrganization: boolean;
  readonly homeOrganizationId: OrganizationId | null;
}

/** The caller, distinguished by the kind of key. */
export type Principal = BoundPrincipal | WorkspacePrincipal | InstancePrincipal;
