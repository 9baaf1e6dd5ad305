import type { z } from 'zod';
import type * as schemas from '../../../../src/capabilities/teams/schemas.ts';
import { formatNumber } from '../../lib/format.ts';

export type TeamPage = z.output<typeof schemas.teamPage>;
export type Team = TeamPage['teams'][number];
export type TeamMemberPage = z.output<typeof schemas.teamMemberPage>;
export type TeamMember = TeamMemberPage['members'][number];
export type MembershipResult = z.output<typeof schemas.membershipResult>;

export const sourceLabels: Record<Team['source'], string> = {
  postil: 'Postil',
  host: 'Git host',
  identity_provider: 'Identity provider',
};

export const countPeople = (count: number) => (count === 1 ? '1 person' : `${formatNumber(count)} people`);
