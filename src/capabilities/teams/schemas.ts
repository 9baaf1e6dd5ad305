import { z } from 'zod';
import { must } from '../../lib/wire/own-checks.ts';
import {
  cursorParameter,
  integerParameter,
  providerId,
  userBatch,
  uuid,
  wireInstant,
  wireUuid,
} from '../../lib/wire/wire.ts';
import { teamSources } from './select-teams.ts';

const page = {
  search: z.string().trim().min(1).max(200).optional(),
  limit: integerParameter(1, 200).default(100),
  cursor: cursorParameter.optional(),
};

export const teamListQuery = z.strictObject({
  ...page,
  source: z.enum(teamSources).optional(),
  user_id: providerId.optional(),
});

export const teamPath = z.strictObject({ team_id: uuid });

export const teamName = z.strictObject({ name: z.string().trim().min(1).max(255) });

export const team = z
  .strictObject({
    id: wireUuid,
    name: z.string(),
    source: z.enum(teamSources),
    member_count: z.int(),
    created_at: wireInstant,
    updated_at: wireInstant,
  })
  .meta({ id: 'Team' });

const hostTeams = z
  .strictObject({
    status: z.enum(['not_connected', 'ready', 'unavailable']),
    read_at: wireInstant.nullable(),
    message: z.string().nullable(),
  })
  .meta({
    id: 'HostTeams',
    description:
      'Whether the teams of the Git host can be read, when they were last read, and why they cannot be',
  });

export const teamPage = z.strictObject({
  teams: z.array(team),
  host_teams: hostTeams,
  next_cursor: z.string().nullable(),
});

export const teamMembersQuery = z.strictObject(page);

export const teamMemberPage = z.strictObject({
  members: z.array(z.strictObject({ user_id: z.string(), username: z.string(), active: z.boolean() })),
  next_cursor: z.string().nullable(),
});

export const membershipChange = z
  .strictObject({ add: userBatch(providerId).optional(), remove: userBatch(providerId).optional() })
  .check(must(({ add, remove }) => add !== undefined || remove !== undefined, 'must add or remove users'))
  .check(
    must(({ add = [], remove = [] }) => !remove.some((id) => add.includes(id)), {
      path: ['remove'],
      error: 'must not name users who are also added',
    }),
  );

export const membershipResult = z
  .strictObject({
    status: z.enum(['success', 'partial_success', 'failure']),
    succeeded: z.array(z.string()),
    failed: z.array(
      z.strictObject({ user_id: z.string(), code: z.enum(['USER_NOT_FOUND']), message: z.string() }),
    ),
  })
  .meta({ id: 'TeamMembershipResult' });
