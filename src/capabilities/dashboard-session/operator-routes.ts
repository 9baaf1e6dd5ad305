import type { CursorCodec } from '../../http/cursor.ts';
import { type Endpoint, operatorEndpoint } from '../../http/endpoint.ts';
import { listInstallationAdmins, revokeInstallationAdmin } from './accounts/installation-admins.ts';
import { invite } from './accounts/invitation.ts';
import type { DashboardDeps } from './deps.ts';
import {
  adminList,
  adminListQuery,
  adminPath,
  inviteRequest,
  inviteResponse,
  revokeQuery,
} from './schemas.ts';

const tag = 'Operator';

/** The operator's endpoints for deciding who may use the dashboard. */
export function dashboardOperatorEndpoints(deps: DashboardDeps & { cursors: CursorCodec }): Endpoint[] {
  return [
    operatorEndpoint({
      operationId: 'inviteToDashboard',
      method: 'POST',
      path: '/operator/v1/dashboard-invitations',
      tag,
      summary: 'Create a one-time link with which a person sets their dashboard password',
      description:
        'The link is valid for 24 hours and replaces any earlier one. It appears only in this response; only its hash is stored.',
      body: inviteRequest,
      errors: ['NOT_FOUND'],
      responses: { 201: { description: 'The link', json: inviteResponse } },
      async handle(context, { body }) {
        const request = { email: body.email, isInstallationAdmin: body.installation_admin };
        const { path, expiresAt } = await invite(deps, request, context);
        const base = deps.settings.publicUrl ?? `http://${context.raw.headers.host ?? 'localhost'}`;
        return { status: 201, json: { url: base + path, expires_at: expiresAt.toISOString() } };
      },
    }),
    operatorEndpoint({
      operationId: 'listInstallationAdmins',
      method: 'GET',
      path: '/operator/v1/installation-admins',
      tag,
      summary: 'List the admins of the installation',
      query: adminListQuery,
      responses: { 200: { description: 'A page of admins, by email address', json: adminList } },
      async handle(_context, { query }) {
        const binding = ['listInstallationAdmins'];
        const after =
          query.cursor === undefined ? undefined : deps.cursors.open<string>(binding, query.cursor);
        const { admins, next } = await listInstallationAdmins(deps.database.sql, query.limit, after);
        return {
          json: { data: admins, next_cursor: next === undefined ? null : deps.cursors.seal(binding, next) },
        };
      },
    }),
    operatorEndpoint({
      operationId: 'revokeInstallationAdmin',
      method: 'DELETE',
      path: '/operator/v1/installation-admins/{email}',
      tag,
      summary: 'Revoke the installation admin role of a person',
      description:
        'Takes effect immediately. The person keeps other roles; a pending link that would make them an admin is revoked, too. The last admin can be revoked only with `allow_none=true`: the next start then prints a link for a first admin.',
      params: adminPath,
      query: revokeQuery,
      errors: ['NOT_FOUND', 'CONFLICT'],
      responses: { 204: { description: 'Revoked' } },
      async handle(context, { params, query }) {
        const request = { email: params.email, mayLeaveNone: query.allow_none };
        await revokeInstallationAdmin(deps, request, context);
        return { status: 204 };
      },
    }),
  ];
}
