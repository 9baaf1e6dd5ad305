import type { ScimGroup } from './manage-groups.ts';
import type { Listed, ScimUser } from './manage-users.ts';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** Where the resources of a workspace are: `https://postil.example.com/scim/v2/acme`. */
export type BaseUrl = string;

function metaOf(base: BaseUrl, type: 'User' | 'Group', { id, createdAt, updatedAt }: ScimUser | ScimGroup) {
  return {
    resourceType: type,
    created: createdAt.toISOString(),
    lastModified: updatedAt.toISOString(),
    location: `${base}/${type}s/${id}`,
  };
}

/** A user as SCIM shows it, with the attributes that the provider sent. */
export function describeUser(base: BaseUrl, user: ScimUser) {
  const { id, userName, externalId, active, attributes, groups } = user;
  const extensions = Object.keys(attributes).filter((name) => name.startsWith('urn:'));
  return {
    ...attributes,
    schemas: [userSchema, ...extensions],
    id,
    userName,
    ...(externalId !== null && { externalId }),
    active,
    groups: groups.map((group) => ({
      value: group.id,
      display: group.displayName,
      $ref: `${base}/Groups/${group.id}`,
    })),
    meta: metaOf(base, 'User', user),
  };
}

export function describeGroup(base: BaseUrl, group: ScimGroup, hasMembers: boolean) {
  const { id, displayName, externalId, members } = group;
  return {
    schemas: [groupSchema],
    id,
    displayName,
    ...(externalId !== null && { externalId }),
    ...(hasMembers && {
      members: members.map((user) => ({
        value: user.id,
        display: user.userName,
        $ref: `${base}/Users/${user.id}`,
      })),
    }),
    meta: metaOf(base, 'Group', group),
  };
}

export function describeList<Resource>(
  { total, resources }: Listed<Resource>,
  startIndex: number,
  describe: (resource: Resource) => unknown,
) {
  return {
    schemas: [listSchema],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources.map(describe),
  };
}
