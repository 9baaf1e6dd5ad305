import { z } from 'zod';
import { providers } from '../../lib/ids.ts';
import { isOwnPath } from '../../lib/own-path.ts';
import { must } from '../../lib/wire/own-checks.ts';
import {
  booleanParameter,
  cursorParameter,
  integerParameter,
  wireInstant,
  wireUuid,
} from '../../lib/wire/wire.ts';

const email = z.email().max(320).toLowerCase();
const password = z.string().max(200);
const newPassword = z
  .string()
  .min(12, 'must have at least 12 characters')
  .max(200, 'must have at most 200 characters');
const token = z.string().min(20).max(100);

/** What the sign-in page offers. */
export const signInOptions = z.strictObject({
  is_signed_in: z.boolean(),
  single_sign_on: z.boolean(),
  needs_first_admin: z.boolean(),
});
export const signInRequest = z.strictObject({ email, password });
export const invitationRequest = z.strictObject({ token });
export const invitationResponse = z.strictObject({ email: z.string().nullable() });
export const acceptRequest = z.strictObject({ token, email: email.optional(), password: newPassword });
export const passwordRequest = z.strictObject({ current_password: password, new_password: newPassword });
export const signOutRequest = z.strictObject({ everywhere: z.boolean() });

/** Where single sign-on returns to: a path in this dashboard, never another site. */
export const ssoQuery = z.strictObject({
  return_to: z.string().max(2000).check(must(isOwnPath, 'must be a path of the dashboard')).default('/'),
});
/** Identity providers may add their own parameters. */
export const ssoCallbackQuery = z.looseObject({ state: z.string().max(500).optional() });

export const inviteRequest = z.strictObject({ email, installation_admin: z.boolean().default(false) });
export const memberInviteRequest = z.strictObject({ email });
export const inviteResponse = z.strictObject({ url: z.string(), expires_at: wireInstant });

export const adminListQuery = z.strictObject({
  limit: integerParameter(1, 1000).default(100),
  cursor: cursorParameter.optional(),
});
export const adminList = z.strictObject({
  data: z.array(
    z.strictObject({ email: z.string(), has_password: z.boolean(), last_sign_in_at: wireInstant.nullable() }),
  ),
  next_cursor: z.string().nullable(),
});
export const adminPath = z.strictObject({ email });
export const revokeQuery = z.strictObject({ allow_none: booleanParameter.default(false) });

/** What a person can choose to look at. */
export const places = z.strictObject({
  workspaces: z.array(
    z.strictObject({ id: wireUuid, slug: z.string(), name: z.string(), is_own_admin: z.boolean() }),
  ),
  organizations: z.array(
    z.strictObject({
      id: wireUuid,
      name: z.string(),
      provider: z.enum(providers),
      org_id: z.string(),
      workspace_id: wireUuid.nullable(),
      is_self_hosted: z.boolean(),
      is_enterprise: z.boolean(),
      user_id: z.string().nullable(),
      is_admin: z.boolean(),
      /** Left out where a workspace lists its organizations, to keep it short: its admin may do everything in them. */
      permissions: z.array(z.string()),
    }),
  ),
  has_more: z.boolean(),
});
export const placesQuery = z.strictObject({ search: z.string().trim().min(1).max(200).optional() });
/** As in the parameter `scope` of other requests: `organization:<id>` or `workspace:<id>`. */
export const placePath = z.strictObject({ place: z.string().max(100) });

export const sessionDescription = z.strictObject({
  email: z.string(),
  is_installation_admin: z.boolean(),
  has_password: z.boolean(),
  /** Whether to lead an admin of the installation to the first steps. */
  is_being_set_up: z.boolean(),
  /** The command with which the operator of this installation calls the command line. */
  postil_command: z.string(),
  ...places.shape,
});
