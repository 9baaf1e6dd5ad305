import { z } from 'zod';
import { providers } from '../../lib/ids.ts';
import { must } from '../../lib/wire/own-checks.ts';
import {
  cursorParameter,
  integerParameter,
  providerId,
  userBatch,
  uuid,
  wireUuid,
} from '../../lib/wire/wire.ts';

const seatAssignmentMode = z.enum(['automatic', 'manual']);

export const userListQuery = z.strictObject({
  seat_filter: z.enum(['all', 'assigned', 'unassigned']).default('all'),
  role_filter: z.enum(['all', 'member', 'admin']).default('all'),
  limit: integerParameter(1, 100).default(100),
  cursor: cursorParameter.optional(),
});

const seatTotals = {
  seats_purchased: z.int(),
  seats_assigned: z.int(),
  seat_assignment_mode: seatAssignmentMode,
};

export const userPage = z
  .strictObject({
    ...seatTotals,
    users: z.array(
      z.strictObject({
        user_id: z.string(),
        username: z.string(),
        email: z.string().nullable(),
        role: z.string(),
        role_name: z.string(),
        role_type: z.enum(['system', 'custom']),
        seat_assigned: z.boolean(),
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'UserPage', description: 'The users of one organization' });

export const personPage = z
  .strictObject({
    ...seatTotals,
    users: z.array(
      z.strictObject({
        user_id: wireUuid,
        email: z.string(),
        name: z.string(),
        workspace_role: z.enum(['admin', 'member']),
        seat_assigned: z.boolean(),
        accounts: z.array(
          z.strictObject({
            provider: z.enum(providers),
            org_id: z.string(),
            user_id: z.string(),
            username: z.string(),
            role: z.string(),
            seat_assigned: z.boolean(),
          }),
        ),
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'PersonPage', description: 'The people of a workspace (a workspace token without `org_id`)' });

export const userOrPersonPage = z.union([userPage, personPage]);

const listOrder = {
  search: z.string().trim().min(1).max(200).optional(),
  limit: integerParameter(1, 200).default(100),
  cursor: cursorParameter.optional(),
};

/** One query for both views: an organization sorts by name, role or seat, a workspace by name. */
export const peopleSearchQuery = z.strictObject({
  ...listOrder,
  seat: z.enum(['all', 'assigned', 'unassigned']).default('all'),
  role: z.string().min(1).max(64).optional(),
  sort: z.enum(['name', '-name', 'role', '-role', 'seat', '-seat']).default('name'),
});

const seatPool = z.strictObject({
  workspace: z.string().nullable().meta({ description: 'Whose organizations share their seats' }),
  organizations: z.int().meta({ description: 'How many organizations share them' }),
});

const dashboardAccess = z.enum(['none', 'invited', 'active']);

export const memberSearchPage = z.strictObject({
  ...seatTotals,
  seat_pool: seatPool,
  total: z.int().nullable().meta({ description: 'How many match; on the first page only' }),
  users: z.array(
    z.strictObject({
      ...userPage.shape.users.element.shape,
      dashboard: dashboardAccess,
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const personSearchPage = z.strictObject({
  ...seatTotals,
  seat_pool: seatPool,
  total: z.int().nullable(),
  users: z.array(z.strictObject({ ...personPage.shape.users.element.shape, dashboard: dashboardAccess })),
  next_cursor: z.string().nullable(),
});

export const peopleSearchPage = z.union([memberSearchPage, personSearchPage]);

const seatAction = z.enum(['assign', 'unassign']);

export const seatRequest = z.strictObject({ action: seatAction, user_ids: userBatch(providerId) });

export const workspaceSeatRequest = z.strictObject({
  action: seatAction,
  members: userBatch(
    z.union([z.strictObject({ email: z.email().max(320) }), z.strictObject({ user_id: uuidAsSent() })]),
  ),
});

// Reported back as sent, so it is not converted to lower case here.
function uuidAsSent() {
  return z
    .string()
    .check(must((text) => uuid.safeParse(text).success, 'must be a UUID'))
    .meta({ format: 'uuid' });
}

export const seatModeRequest = z.strictObject({ mode: seatAssignmentMode });
export const seatMode = z.strictObject({ mode: seatAssignmentMode });

export const roleRequest = z.strictObject({
  role: z.enum(['cr_admin', 'cr_member']),
  user_ids: userBatch(providerId),
});

export const rolePath = z.strictObject({ role_id: z.union([z.enum(['cr_admin', 'cr_member']), uuid]) });
export const roleHolders = z.strictObject({ user_ids: userBatch(providerId) });

const failureCode = z.enum(['USER_NOT_FOUND', 'NO_SEATS_AVAILABLE', 'BILLING_ADMIN_PROTECTED', 'LAST_ADMIN']);

export const batchResult = z
  .strictObject({
    status: z.enum(['success', 'partial_success', 'failure']),
    succeeded: z.array(z.string()),
    failed: z.array(
      z.strictObject({
        user_id: z.string(),
        code: failureCode,
        message: z.string(),
        organizations: z.array(z.strictObject({ org_id: z.string(), code: failureCode })).optional(),
      }),
    ),
  })
  .meta({ id: 'UserBatchResult' });
