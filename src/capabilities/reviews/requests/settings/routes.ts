import { oneOrganization, type Requirements } from '../../../../access/access-rule.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import { type Endpoint, keyEndpoint } from '../../../../http/endpoint.ts';
import { readReviewSettings } from '../../settings/review-settings.ts';
import { changeMcpServers, listMcpServers, type McpSettingsDeps } from './change-mcp-servers.ts';
import { changeReviewSettings, type ReviewSettingsDeps } from './change-review-settings.ts';
import {
  mcpServers,
  mcpServersBody,
  presentServers,
  presentSettings,
  reviewSettings,
  serversOf,
  settingsOf,
} from './schemas.ts';

const requires: Requirements = { plan: 'any', right: 'admin' };

/** The endpoints for an organization's review settings, and for the MCP servers that a model may use. */
export function reviewSettingsEndpoints(deps: McpSettingsDeps & ReviewSettingsDeps): Endpoint[] {
  const common = { tag: 'Reviews', access: oneOrganization, requires } as const;
  const ofReviews = {
    ...common,
    path: '/v1/settings/reviews',
    limit: { bucket: 'settings-reviews', perMinute: 60, per: 'tenant' },
    responses: { 200: { description: 'The settings as they are now', json: reviewSettings } },
  } as const;
  const ofServers = {
    ...common,
    path: '/v1/settings/mcp-servers',
    limit: { bucket: 'settings-mcp-servers', perMinute: 60, per: 'tenant' },
    responses: { 200: { description: 'All servers, in the order in which they were set', json: mcpServers } },
  } as const;
  return [
    keyEndpoint({
      ...ofReviews,
      operationId: 'readReviewSettings',
      method: 'GET',
      summary: 'The review settings of an organization',
      async handle({ scope }) {
        const { organization } = onlyOrganization(scope);
        return { json: presentSettings(await readReviewSettings(deps.database.sql, organization.id)) };
      },
    }),
    keyEndpoint({
      ...ofReviews,
      operationId: 'changeReviewSettings',
      method: 'PUT',
      summary: 'Replace the review settings of an organization',
      description:
        'Omitted fields get their defaults. Applies to reviews that start afterwards. An invalid rule is refused ' +
        'with its line and column. A workspace token names its organization with `org_id`, in the query or in the body.',
      body: reviewSettings,
      handle: async (context, { body }) => ({
        json: presentSettings(await changeReviewSettings(deps, context, settingsOf(body))),
      }),
    }),
    keyEndpoint({
      ...ofServers,
      operationId: 'listMcpServers',
      method: 'GET',
      summary: 'The MCP servers of an organization',
      description: 'Only the names of headers are shown; their values are null.',
      handle: async (context) => ({ json: presentServers(await listMcpServers(deps, context)) }),
    }),
    keyEndpoint({
      ...ofServers,
      operationId: 'changeMcpServers',
      method: 'PUT',
      summary: 'Replace the MCP servers of an organization',
      description:
        'The body is the whole list. Header values are stored encrypted and never shown again. A value of null keeps the one that is ' +
        'stored for this server, as long as its name and the origin of its URL stay the same. Internal addresses are refused unless ' +
        'the operator allows them. A workspace token names its organization with `org_id` in the query.',
      body: mcpServersBody,
      handle: async (context, { body }) => ({
        json: presentServers(await changeMcpServers(deps, context, serversOf(body))),
      }),
    }),
  ];
}
