import type { Db, Fragment } from '../../../db/database.ts';
import { plainArrayLiteral } from '../../../db/driver/array-literal.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { membershipsOfTeams } from '../../teams/select-teams.ts';

/** The organization or team that a digest is about. */
export interface Subject {
  readonly organizationId: OrganizationId;
  readonly teamId: string | null;
}

/** The condition that an account is in the team that the digest is about; true for a whole organization. */
export function isOfTeam(db: Db, { organizationId, teamId }: Subject, authorId: Fragment): Fragment {
  if (teamId === null) return db`true`;
  const memberships = membershipsOfTeams(db, plainArrayLiteral([organizationId]), db`= ${teamId}::uuid`);
  // `IS TRUE` keeps this from becoming a join, which may look for the people of the team again for each row.
  return db`(${authorId} IN (SELECT t.provider_user_id FROM (${memberships}) AS t)) IS TRUE`;
}
