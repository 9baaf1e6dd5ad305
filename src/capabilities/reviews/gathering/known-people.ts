import type { Db } from '../../../db/database.ts';
import type { OrganizationId, Provider } from '../../../lib/ids.ts';
import { isProgram, type People } from '../../../reviewer/report/reviewers.ts';
import type { OwnersDialect } from '../../../reviewer/repository/owners/owners.ts';

/** How a host reads CODEOWNERS; Forgejo as Gitea does. */
export function dialectOf({ provider }: { readonly provider: Provider }): OwnersDialect {
  return provider === 'github' || provider === 'gitlab' ? provider : 'gitea';
}

export interface KnownPeopleRequest {
  readonly organizationId: OrganizationId;
  /** The name of the Git host, whose own addresses name accounts. */
  readonly hostName: string;
  /** Ids at the host of those who are not to be named: who opened the pull request, and who posts the review. */
  readonly except: readonly string[];
}

interface Member {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
}

const longestName = 100;

/**
 * Finds members of an organization by the email addresses of their commits and their names in CODEOWNERS. Never names other
 * people or reveals an address: people without an account here may not even know that Postil exists.
 */
export function knownPeople(db: Db, { organizationId, hostName, except }: KnownPeopleRequest): People {
  async function findMembers(wanted: {
    emails: string[];
    ids: string[];
    usernames: string[];
  }): Promise<Member[]> {
    return db<Member[]>`
      SELECT m.provider_user_id AS id, m.username, p.email FROM members m LEFT JOIN people p ON p.id = m.person_id
      WHERE m.organization_id = ${organizationId} AND m.active AND NOT m.bot AND m.provider_user_id <> ALL(${[...except]}::text[])
        AND (p.email = ANY(${wanted.emails}::text[]) OR m.provider_user_id = ANY(${wanted.ids}::text[])
          OR lower(m.username) = ANY(${wanted.usernames}::text[]))`;
  }
  return {
    async nameAuthors(authors) {
      const known = authors.map((author) =>
        isProgram(author) ? undefined : accountOf(author.email, hostName),
      );
      const members = await findMembers({
        emails: known.flatMap((each) => each?.email ?? []),
        ids: known.flatMap((each) => each?.id ?? []),
        usernames: known.flatMap((each) => each?.username ?? []),
      });
      const nameOf = (test: (member: Member) => boolean) => members.find(test)?.username;
      return known.map((each) => {
        if (each === undefined) return null;
        if (each.id !== undefined) return nameOf(({ id }) => id === each.id) ?? null;
        if (each.username !== undefined)
          return nameOf(({ username }) => username.toLowerCase() === each.username) ?? null;
        return nameOf(({ email }) => email === each.email) ?? null;
      });
    },
    async nameOwners(owners) {
      const usernames = owners
        .filter((owner) => /^@[^/]+$/.test(owner))
        .map((owner) => owner.slice(1).toLowerCase());
      const emails = owners.filter((owner) => !owner.startsWith('@')).map((owner) => owner.toLowerCase());
      const members = await findMembers({ emails, ids: [], usernames });
      return owners.map((owner) => {
        // A team is no account, so its name stays as it is in the file.
        if (/^@[^/]+\/./.test(owner)) return owner.length > longestName ? null : owner.slice(1);
        const wanted = owner.replace(/^@/, '').toLowerCase();
        const isWanted = ({ username, email }: Member) =>
          owner.startsWith('@') ? username.toLowerCase() === wanted : email === wanted;
        return members.find(isWanted)?.username ?? null;
      });
    },
  };
}

/** What an email address says about an account: the no-reply addresses of hosts contain its id or name. */
function accountOf(
  email: string,
  hostName: string,
): { readonly email?: string; readonly id?: string; readonly username?: string } {
  const address = email.toLowerCase();
  const [local = '', domain = ''] = [
    address.slice(0, address.indexOf('@')),
    address.slice(address.indexOf('@') + 1),
  ];
  if (domain !== `users.noreply.${hostName}` && domain !== `noreply.${hostName}`) return { email: address };
  const [, id, username = local] = /^(\d+)[+-](.+)$/.exec(local) ?? [];
  return id === undefined ? { username } : { id };
}
