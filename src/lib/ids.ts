declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Our UUID for an organization. */
export type OrganizationId = Branded<'OrganizationId'>;
/** The organization's id at its Git provider: what callers send as `org_id`. */
export type ProviderOrgId = Branded<'ProviderOrgId'>;
/** Our UUID for a repository. */
export type RepositoryId = Branded<'RepositoryId'>;
/** The repository's id at its Git provider: what callers send as `repository_id`. */
export type ProviderRepositoryId = Branded<'ProviderRepositoryId'>;
/** A person's account id at the Git provider. */
export type ProviderUserId = Branded<'ProviderUserId'>;
/** Our UUID for a person, who may have several accounts. */
export type PersonId = Branded<'PersonId'>;
/** Our UUID for a workspace. */
export type WorkspaceId = Branded<'WorkspaceId'>;
/** Our UUID for a self-hosted Git provider instance. */
export type InstanceId = Branded<'InstanceId'>;

/** The Git providers that can host an organization. */
export const providers = ['github', 'gitlab', 'bitbucket', 'azure_devops', 'gitea'] as const;
export type Provider = (typeof providers)[number];
