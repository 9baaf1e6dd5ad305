import { z } from 'zod';
import type { OrganizationDocument } from '../../operator/platform-document.ts';
import type { Connection } from '../connection-record.ts';
import type { HostMember, HostOrganization, HostRepository } from '../hosts/host.ts';

/** What the platform knows about an organization that is being re-read. */
export interface KnownOrganization {
  readonly exists: boolean;
  /** Ids at the host. */
  readonly activeRepositories: ReadonlySet<string>;
  readonly activeMembers: ReadonlySet<string>;
  /** All members, including those who left. */
  readonly members: ReadonlySet<string>;
}

function repositoriesOf(repositories: readonly HostRepository[], known: KnownOrganization) {
  const present = new Set(repositories.map(({ id }) => id));
  return [
    ...repositories.map(({ id, name, isPrivate, isArchived, readers }) => ({
      provider_repository_id: id,
      name,
      active: !isArchived,
      private: isPrivate,
      readers: readers === 'members' ? ('members' as const) : [...new Set(readers)],
    })),
    ...[...known.activeRepositories]
      .filter((id) => !present.has(id))
      .map((id) => ({ provider_repository_id: id, active: false })),
  ];
}

/** Hosts accept any text as an email address. */
function isEmail(email: string | null): email is string {
  return email !== null && z.email().max(320).safeParse(email).success;
}

// Role and bot flag are taken from the host only for new members, so that changes made in Postil are kept.
function membersOf(members: readonly HostMember[], known: KnownOrganization) {
  const present = new Set(members.map(({ id }) => id));
  return [
    ...members.map(({ id, username, email, isBot, isOwner }) => ({
      user_id: id,
      username,
      // A known email address is kept even if the host now hides it.
      ...(isEmail(email) && { email: email.toLowerCase() }),
      active: true,
      ...(!known.members.has(id) && { role: isOwner ? 'cr_admin' : 'cr_member', bot: isBot }),
    })),
    ...[...known.activeMembers]
      .filter((id) => !present.has(id))
      .map((id) => ({ user_id: id, active: false })),
  ];
}

/** The current state of an organization at its host, as part of the platform document: members and repositories that are gone become inactive. */
export function organizationDocument(
  { provider, instance, defaults }: Pick<Connection, 'provider' | 'instance' | 'defaults'>,
  organization: HostOrganization,
  repositories: readonly HostRepository[],
  members: readonly HostMember[],
  known: KnownOrganization,
): OrganizationDocument {
  return {
    provider,
    provider_organization_id: organization.id,
    instance: instance?.slug ?? null,
    name: organization.name,
    ...(!known.exists && { active: true, ...defaults }),
    repositories: repositoriesOf(repositories, known),
    members: membersOf(members, known),
  };
}
