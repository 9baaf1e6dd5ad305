/**
 * Which callers may use which endpoints, written by hand from the contract's key matrix. A test compares every declared endpoint
 * with it, so that an endpoint cannot appear or become accessible without a change to this file.
 */
export interface AccessRow {
  readonly organization: 'own' | 'forbidden';
  readonly user: 'own' | 'forbidden';
  readonly workspace: 'all' | 'all_or_one' | 'one' | 'people' | 'forbidden';
  readonly instance: 'all' | 'all_or_selected' | 'home' | 'home_one_or_every' | 'forbidden';
  readonly legacy: 'own' | 'gone' | 'gone_unless_every' | 'forbidden';
  readonly agentic: 'own' | 'forbidden';
  readonly plan: 'any' | 'enterprise' | 'self_hosted_enterprise';
  readonly right: string;
  /** The event type that event sources must be allowed to report, if they may call the endpoint too. */
  readonly sources?: string;
  /** The bucket, the requests per minute, and the subject they are counted for. */
  readonly limit: readonly [string, number, 'tenant' | 'key' | 'written_organization'];
  /** A valid request; `{organization}` is replaced by the id of the key's own organization. */
  readonly sample: {
    readonly path: string;
    readonly body?: Record<string, unknown> | readonly unknown[];
    /** The body for workspace tokens, if it is a different one. */
    readonly workspaceBody?: Record<string, unknown>;
  };
}

const inventory = {
  organization: 'own',
  user: 'own',
  workspace: 'all',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'forbidden',
  plan: 'enterprise',
  right: 'organization_management:read',
} as const;

const dependencies = { ...inventory, workspace: 'one', limit: ['dependencies', 60, 'tenant'] } as const;

const people = {
  organization: 'own',
  user: 'own',
  workspace: 'all_or_one',
  instance: 'home',
  legacy: 'gone',
  agentic: 'forbidden',
  plan: 'enterprise',
  right: 'admin',
} as const;

const teams = { ...people, workspace: 'one', limit: ['teams', 60, 'tenant'] } as const;
const unknownTeam = '/v1/teams/00000000-0000-4000-8000-000000000000';
const roles = { ...people, workspace: 'one', limit: ['roles', 60, 'tenant'] } as const;
const learningsRead = {
  organization: 'own',
  user: 'own',
  workspace: 'all_or_one',
  instance: 'all_or_selected',
  legacy: 'own',
  agentic: 'forbidden',
  plan: 'enterprise',
  right: 'none',
  limit: ['learnings-read', 60, 'tenant'],
} as const;

const learningsWrite = {
  organization: 'own',
  user: 'own',
  workspace: 'one',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'forbidden',
  plan: 'enterprise',
  right: 'learning:write',
  limit: ['learnings-write', 10, 'written_organization'],
} as const;

const reviews = {
  organization: 'own',
  user: 'own',
  workspace: 'one',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'own',
  plan: 'any',
  right: 'none',
} as const;
const reviewSettings = { ...people, workspace: 'one', plan: 'any' } as const;
const webhooks = {
  organization: 'own',
  user: 'own',
  workspace: 'one',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'forbidden',
  plan: 'any',
  right: 'admin',
  limit: ['webhooks', 60, 'tenant'],
} as const;
const scim = {
  organization: 'forbidden',
  user: 'forbidden',
  workspace: 'all',
  instance: 'forbidden',
  legacy: 'forbidden',
  agentic: 'forbidden',
  plan: 'any',
  right: 'admin',
  limit: ['scim', 600, 'tenant'],
} as const;
const scimPath = '/scim/v2/acme';
const scimId = '00000000-0000-4000-8000-000000000001';
const scimPatch = { Operations: [{ op: 'replace', path: 'displayName', value: 'Someone' }] };
const someWebhook = '/v1/webhooks/00000000-0000-4000-8000-000000000001';
const someReview = '/v1/reviews/00000000-0000-4000-8000-000000000001';

const someLearning = '/v1/learnings/00000000-0000-5000-8000-000000000001';

const metrics = {
  organization: 'own',
  user: 'own',
  workspace: 'all_or_one',
  instance: 'all_or_selected',
  legacy: 'own',
  agentic: 'forbidden',
  plan: 'enterprise',
  right: 'none',
  limit: ['metrics', 60, 'tenant'],
} as const;
const window = 'start_date=2026-06-01&end_date=2026-06-30';

export const accessTable: Readonly<Record<string, AccessRow>> = {
  'POST /mcp': {
    ...reviews,
    workspace: 'forbidden',
    limit: ['mcp', 600, 'key'],
    sample: { path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
  },
  'GET /scim/v2/{workspace}/Users': { ...scim, sample: { path: `${scimPath}/Users` } },
  'POST /scim/v2/{workspace}/Users': {
    ...scim,
    sample: { path: `${scimPath}/Users`, body: { userName: 'someone@acme.test' } },
  },
  'GET /scim/v2/{workspace}/Users/{id}': { ...scim, sample: { path: `${scimPath}/Users/${scimId}` } },
  'PUT /scim/v2/{workspace}/Users/{id}': {
    ...scim,
    sample: { path: `${scimPath}/Users/${scimId}`, body: { userName: 'someone@acme.test' } },
  },
  'PATCH /scim/v2/{workspace}/Users/{id}': {
    ...scim,
    sample: { path: `${scimPath}/Users/${scimId}`, body: scimPatch },
  },
  'DELETE /scim/v2/{workspace}/Users/{id}': { ...scim, sample: { path: `${scimPath}/Users/${scimId}` } },
  'GET /scim/v2/{workspace}/Groups': { ...scim, sample: { path: `${scimPath}/Groups` } },
  'POST /scim/v2/{workspace}/Groups': {
    ...scim,
    sample: { path: `${scimPath}/Groups`, body: { displayName: 'Engineers' } },
  },
  'GET /scim/v2/{workspace}/Groups/{id}': { ...scim, sample: { path: `${scimPath}/Groups/${scimId}` } },
  'PUT /scim/v2/{workspace}/Groups/{id}': {
    ...scim,
    sample: { path: `${scimPath}/Groups/${scimId}`, body: { displayName: 'Engineers' } },
  },
  'PATCH /scim/v2/{workspace}/Groups/{id}': {
    ...scim,
    sample: { path: `${scimPath}/Groups/${scimId}`, body: scimPatch },
  },
  'DELETE /scim/v2/{workspace}/Groups/{id}': { ...scim, sample: { path: `${scimPath}/Groups/${scimId}` } },
  'GET /scim/v2/{workspace}/ServiceProviderConfig': {
    ...scim,
    sample: { path: `${scimPath}/ServiceProviderConfig` },
  },
  'GET /scim/v2/{workspace}/ResourceTypes': { ...scim, sample: { path: `${scimPath}/ResourceTypes` } },
  'GET /scim/v2/{workspace}/ResourceTypes/{id}': {
    ...scim,
    sample: { path: `${scimPath}/ResourceTypes/User` },
  },
  'GET /scim/v2/{workspace}/Schemas': { ...scim, sample: { path: `${scimPath}/Schemas` } },
  'GET /scim/v2/{workspace}/Schemas/{id}': {
    ...scim,
    sample: { path: `${scimPath}/Schemas/urn:ietf:params:scim:schemas:core:2.0:User` },
  },
  'GET /v1/webhooks': { ...webhooks, sample: { path: '/v1/webhooks' } },
  'POST /v1/webhooks': {
    ...webhooks,
    sample: {
      path: '/v1/webhooks',
      body: { url: 'https://192.0.2.1/', types: ['postil.member.changed'] },
    },
  },
  'PATCH /v1/webhooks/{id}': { ...webhooks, sample: { path: someWebhook, body: { active: false } } },
  'DELETE /v1/webhooks/{id}': { ...webhooks, sample: { path: someWebhook } },
  'POST /v1/webhooks/{id}/test': { ...webhooks, sample: { path: `${someWebhook}/test` } },
  'POST /v1/webhooks/{id}/rotate': { ...webhooks, sample: { path: `${someWebhook}/rotate` } },
  'GET /v1/webhooks/{id}/deliveries': { ...webhooks, sample: { path: `${someWebhook}/deliveries` } },
  'POST /v1/webhooks/{id}/deliveries/{delivery}/replay': {
    ...webhooks,
    sample: { path: `${someWebhook}/deliveries/00000000-0000-4000-8000-000000000001/replay` },
  },
  'GET /v1/organizations': {
    ...inventory,
    limit: ['organizations', 10, 'tenant'],
    sample: { path: '/v1/organizations' },
  },
  'GET /v1/organizations/{organization_id}/repositories': {
    ...inventory,
    limit: ['repositories', 10, 'tenant'],
    sample: { path: '/v1/organizations/{organization}/repositories' },
  },
  'GET /v1/dependencies': {
    ...dependencies,
    sample: { path: '/v1/dependencies' },
  },
  'GET /v1/dependencies/repositories': {
    ...dependencies,
    sample: { path: '/v1/dependencies/repositories' },
  },
  'GET /v1/dependencies/sbom': {
    ...dependencies,
    sample: { path: '/v1/dependencies/sbom?repository_id=501' },
  },
  'GET /v1/users': { ...people, limit: ['users', 10, 'tenant'], sample: { path: '/v1/users' } },
  'POST /v1/users/seats': {
    ...people,
    workspace: 'people',
    limit: ['seats', 10, 'tenant'],
    sample: {
      path: '/v1/users/seats',
      body: { action: 'unassign', user_ids: ['9002'] },
      workspaceBody: { action: 'unassign', members: [{ email: 'user-9002@acme.test' }] },
    },
  },
  'GET /v1/users/seats/assignment': {
    ...people,
    workspace: 'forbidden',
    plan: 'self_hosted_enterprise',
    limit: ['seat-assignment-read', 10, 'tenant'],
    sample: { path: '/v1/users/seats/assignment' },
  },
  'POST /v1/users/seats/assignment': {
    ...people,
    workspace: 'forbidden',
    plan: 'self_hosted_enterprise',
    limit: ['seat-assignment', 10, 'tenant'],
    sample: { path: '/v1/users/seats/assignment', body: { mode: 'manual' } },
  },
  'POST /v1/users/roles': {
    ...people,
    workspace: 'one',
    instance: 'home_one_or_every',
    legacy: 'gone_unless_every',
    limit: ['user-roles', 10, 'tenant'],
    sample: { path: '/v1/users/roles', body: { role: 'cr_member', user_ids: ['9002'] } },
  },
  'POST /v1/roles/{role_id}/users': {
    ...people,
    workspace: 'one',
    limit: ['user-roles', 10, 'tenant'],
    sample: { path: '/v1/roles/cr_member/users', body: { user_ids: ['9002'] } },
  },
  'GET /v1/roles': { ...roles, right: 'role_management:read', sample: { path: '/v1/roles' } },
  'GET /v1/roles/permissions': {
    ...roles,
    right: 'role_management:read',
    sample: { path: '/v1/roles/permissions' },
  },
  'GET /v1/roles/{role_id}': {
    ...roles,
    right: 'role_management:read',
    sample: { path: '/v1/roles/cr_member' },
  },
  'POST /v1/roles': { ...roles, sample: { path: '/v1/roles', body: { name: 'sample' } } },
  'PATCH /v1/roles/{role_id}': {
    ...roles,
    sample: { path: '/v1/roles/00000000-0000-4000-8000-000000000000', body: { name: 'sample' } },
  },
  'DELETE /v1/roles/{role_id}': {
    ...roles,
    sample: { path: '/v1/roles/00000000-0000-4000-8000-000000000000' },
  },
  'GET /v1/teams': { ...teams, right: 'user_management:read', sample: { path: '/v1/teams' } },
  'GET /v1/teams/{team_id}': { ...teams, right: 'user_management:read', sample: { path: unknownTeam } },
  'POST /v1/teams': { ...teams, sample: { path: '/v1/teams', body: { name: 'sample' } } },
  'PATCH /v1/teams/{team_id}': { ...teams, sample: { path: unknownTeam, body: { name: 'sample' } } },
  'DELETE /v1/teams/{team_id}': { ...teams, sample: { path: unknownTeam } },
  'GET /v1/teams/{team_id}/members': {
    ...teams,
    right: 'user_management:read',
    sample: { path: `${unknownTeam}/members` },
  },
  'PATCH /v1/teams/{team_id}/members': {
    ...teams,
    sample: { path: `${unknownTeam}/members`, body: { add: ['9002'] } },
  },
  'GET /v1/audit-logs': {
    ...people,
    instance: 'all',
    limit: ['audit-logs', 60, 'tenant'],
    sample: { path: '/v1/audit-logs' },
  },
  'GET /v1/security/scans/code': {
    organization: 'own',
    user: 'own',
    workspace: 'all_or_one',
    instance: 'all_or_selected',
    legacy: 'gone',
    agentic: 'forbidden',
    plan: 'any',
    right: 'security:read',
    limit: ['security', 60, 'tenant'],
    sample: { path: '/v1/security/scans/code' },
  },
  'GET /v1/learnings': { ...learningsRead, sample: { path: '/v1/learnings' } },
  'POST /v1/learnings/search': {
    ...learningsRead,
    sample: { path: '/v1/learnings/search', body: { repository_id: '501', query: 'error handling' } },
  },
  'POST /v1/learnings': {
    ...learningsWrite,
    sample: { path: '/v1/learnings', body: { data: [{ repository_id: '501', learning: 'Prefer tabs' }] } },
  },
  'PATCH /v1/learnings/{learning_id}': {
    ...learningsWrite,
    sample: { path: someLearning, body: { learning: 'Prefer spaces' } },
  },
  'DELETE /v1/learnings/{learning_id}': { ...learningsWrite, sample: { path: someLearning } },
  'GET /v1/metrics/review-comments': {
    ...metrics,
    sample: { path: `/v1/metrics/review-comments?${window}` },
  },
  'GET /v1/metrics/reviews': { ...metrics, sample: { path: `/v1/metrics/reviews?${window}` } },
  'GET /v1/metrics/mcp': { ...metrics, sample: { path: `/v1/metrics/mcp?${window}` } },
  'POST /v1/reviews': {
    ...reviews,
    limit: ['reviews-create', 30, 'key'],
    sample: {
      path: '/v1/reviews',
      body: { repository_id: '501', diff: '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n' },
    },
  },
  'POST /v1/reviews/results': {
    ...reviews,
    workspace: 'forbidden',
    limit: ['reviews-results', 120, 'key'],
    sources: 'postil.review_results',
    sample: {
      path: '/v1/reviews/results',
      body: {
        repository_id: 'no-such',
        pull_request: 1,
        sarif: { version: '2.1.0', runs: [] },
      },
    },
  },
  'POST /v1/reviews/coverage': {
    ...reviews,
    workspace: 'forbidden',
    limit: ['reviews-coverage', 120, 'key'],
    sources: 'postil.coverage',
    sample: {
      path: '/v1/reviews/coverage',
      body: {
        repository_id: 'no-such',
        head_revision: '0123456789abcdef0123456789abcdef01234567',
        format: 'lcov',
        report: 'SF:src/a.ts\nDA:1,1\nend_of_record\n',
      },
    },
  },
  'GET /v1/reviews': {
    ...reviews,
    limit: ['reviews-read', 600, 'key'],
    sample: { path: '/v1/reviews' },
  },
  'GET /v1/reviews/findings': {
    ...reviews,
    limit: ['reviews-read', 600, 'key'],
    sample: { path: '/v1/reviews/findings' },
  },
  'GET /v1/reviews/overrides': {
    ...reviews,
    limit: ['reviews-read', 600, 'key'],
    sample: { path: '/v1/reviews/overrides' },
  },
  'GET /v1/reviews/{id}': {
    ...reviews,
    limit: ['reviews-read', 600, 'key'],
    sample: { path: someReview },
  },
  'GET /v1/reviews/checks': {
    ...reviews,
    limit: ['reviews-read', 600, 'key'],
    sample: { path: '/v1/reviews/checks' },
  },
  'GET /v1/reviews/checks/settings': {
    ...reviews,
    limit: ['reviews-read', 600, 'key'],
    sample: { path: '/v1/reviews/checks/settings?repository_id=no-such' },
  },
  'GET /v1/reviews/checks/metrics': {
    ...reviews,
    limit: ['reviews-read', 600, 'key'],
    sample: { path: '/v1/reviews/checks/metrics' },
  },
  'GET /v1/reviews/rules': {
    ...reviews,
    limit: ['reviews-read', 600, 'key'],
    sample: { path: '/v1/reviews/rules' },
  },
  'GET /v1/reviews/rules/replay': {
    ...reviews,
    limit: ['reviews-rules-replay', 10, 'key'],
    sample: { path: '/v1/reviews/rules/replay' },
  },
  'PUT /v1/reviews/rules': {
    ...reviews,
    agentic: 'forbidden',
    right: 'admin',
    limit: ['reviews-rules', 60, 'key'],
    sample: { path: '/v1/reviews/rules', body: { rule: 'text/json', state: 'pinned' } },
  },
  'PUT /v1/reviews/rules/{rule}': {
    ...reviews,
    agentic: 'forbidden',
    right: 'admin',
    limit: ['reviews-rules', 60, 'key'],
    sample: { path: '/v1/reviews/rules/text%2Fjson', body: { state: 'pinned' } },
  },
  'POST /v1/reviews/{id}/release': {
    ...reviews,
    limit: ['reviews-release', 60, 'key'],
    sample: { path: `${someReview}/release`, body: {} },
  },
  'POST /v1/reviews/{id}/fix': {
    ...reviews,
    limit: ['reviews-fix', 30, 'key'],
    sample: { path: `${someReview}/fix`, body: {} },
  },
  'DELETE /v1/reviews/{id}': {
    ...reviews,
    limit: ['reviews-cancel', 60, 'key'],
    sample: { path: someReview },
  },
  'PATCH /v1/reviews/{id}/findings/{finding_id}': {
    ...reviews,
    limit: ['reviews-findings', 60, 'key'],
    sample: { path: `${someReview}/findings/0123456789abcdef`, body: { accepted: true } },
  },
  'GET /v1/reviews/{id}/findings/{finding_id}/signals': {
    ...reviews,
    limit: ['reviews-read', 600, 'key'],
    sample: { path: `${someReview}/findings/0123456789abcdef/signals` },
  },
  'GET /v1/settings/reviews': {
    ...reviewSettings,
    limit: ['settings-reviews', 60, 'tenant'],
    sample: { path: '/v1/settings/reviews' },
  },
  'PUT /v1/settings/reviews': {
    ...reviewSettings,
    limit: ['settings-reviews', 60, 'tenant'],
    sample: { path: '/v1/settings/reviews', body: { other_reviewers: ['other-bot'] } },
  },
  'GET /v1/settings/mcp-servers': {
    ...reviewSettings,
    limit: ['settings-mcp-servers', 60, 'tenant'],
    sample: { path: '/v1/settings/mcp-servers' },
  },
  'PUT /v1/settings/mcp-servers': {
    ...reviewSettings,
    limit: ['settings-mcp-servers', 60, 'tenant'],
    sample: {
      path: '/v1/settings/mcp-servers',
      body: [{ name: 'tickets', url: 'https://mcp.acme.test/mcp' }],
    },
  },
  'GET /v1/me': {
    organization: 'own',
    user: 'own',
    workspace: 'all',
    instance: 'all',
    legacy: 'own',
    agentic: 'own',
    plan: 'any',
    right: 'none',
    limit: ['me', 60, 'tenant'],
    sample: { path: '/v1/me' },
  },
};

/** Endpoints whose access differs when the query has a certain parameter. */
export const accessWhen = {
  'GET /v1/learnings': {
    queryParameter: 'repository_name',
    access: {
      organization: 'forbidden',
      user: 'own',
      workspace: 'forbidden',
      instance: 'forbidden',
      legacy: 'forbidden',
      agentic: 'forbidden',
    },
  },
} as const;

/** Endpoints that require the operator token. */
export const operatorEndpoints: readonly string[] = [
  'PUT /operator/v1/platform',
  'GET /operator/v1/platform',
  'POST /operator/v1/keys',
  'GET /operator/v1/keys',
  'DELETE /operator/v1/keys/{id}',
  'POST /operator/v1/events',
  'GET /operator/v1/audit/verification',
  'GET /operator/v1/audit/entries',
  'GET /metrics',
  'POST /operator/v1/dashboard-invitations',
  'GET /operator/v1/installation-admins',
  'DELETE /operator/v1/installation-admins/{email}',
  'POST /operator/v1/sources',
  'GET /operator/v1/sources',
  'GET /operator/v1/sources/{id}',
  'DELETE /operator/v1/sources/{id}',
  'POST /operator/v1/secrets/rotate',
  'POST /operator/v1/osv/advisories',
  'POST /operator/v1/connections',
  'GET /operator/v1/connections',
  'GET /operator/v1/connections/{id}',
  'PATCH /operator/v1/connections/{id}',
  'DELETE /operator/v1/connections/{id}',
  'POST /operator/v1/connections/{id}/check',
  'POST /operator/v1/connections/{id}/sync',
  'POST /operator/v1/connections/{id}/backfill',
  'GET /operator/v1/connections/{id}/deliveries',
  'POST /operator/v1/connections/{id}/deliveries/{delivery}/replay',
];

/** Endpoints without authentication. */
export const publicEndpoints: readonly string[] = [
  'GET /health',
  'GET /ready',
  'GET /openapi.json',
  'GET /schemas/postil.yaml.json',
  'GET /dashboard/v1/sign-in',
  'POST /dashboard/v1/sign-in',
  'POST /dashboard/v1/invitations/read',
  'POST /dashboard/v1/invitations/accept',
  'GET /dashboard/v1/sso/start',
  'GET /dashboard/v1/sso/callback',
  'GET /dashboard/v1/digests/unsubscribe',
];

/** Endpoints for other systems, authenticated by signature. */
export const signedEndpoints: readonly string[] = [
  'POST /hooks/{connection_id}',
  'POST /dashboard/v1/digests/unsubscribe',
];

/** Endpoints for event sources, with their limits: bucket, requests per minute, counted for. */
export const sourceTable: Readonly<Record<string, AccessRow['limit']>> = {
  'POST /v1/events': ['events', 600, 'tenant'],
};

/** Endpoints for people signed in to the dashboard, about themselves. */
export const accountEndpoints: readonly string[] = [
  'GET /dashboard/v1/session',
  'GET /dashboard/v1/places',
  'GET /dashboard/v1/places/{place}',
  'POST /dashboard/v1/sign-out',
  'POST /dashboard/v1/password',
];

/** Endpoints for admins of the installation who are signed in to the dashboard. */
export const installationAdminEndpoints: readonly string[] = [
  ...operatorEndpoints
    .filter((name) => name.includes('/operator/v1/connections'))
    .map((name) => name.replace('/operator/', '/dashboard/')),
  'POST /dashboard/v1/app-flows',
  'GET /dashboard/v1/app-flows/{state}/form',
  'GET /dashboard/v1/app-flows/callback',
  'GET /dashboard/v1/first-steps',
  'POST /dashboard/v1/first-steps/put-away',
];

/**
 * The endpoints of the API that are also offered to people signed in to the dashboard, under /dashboard; their rows are above.
 */
export const sharedWithDashboard: readonly string[] = [
  'POST /v1/users/seats',
  'POST /v1/users/seats/assignment',
  'POST /v1/roles/{role_id}/users',
  'GET /v1/roles',
  'POST /v1/roles',
  'PATCH /v1/roles/{role_id}',
  'DELETE /v1/roles/{role_id}',
  'GET /v1/teams',
  'GET /v1/teams/{team_id}',
  'POST /v1/teams',
  'PATCH /v1/teams/{team_id}',
  'DELETE /v1/teams/{team_id}',
  'GET /v1/teams/{team_id}/members',
  'PATCH /v1/teams/{team_id}/members',
  'GET /v1/learnings',
  'POST /v1/learnings/search',
  'POST /v1/learnings',
  'PATCH /v1/learnings/{learning_id}',
  'DELETE /v1/learnings/{learning_id}',
  'GET /v1/security/scans/code',
  'GET /v1/webhooks',
  'POST /v1/webhooks',
  'PATCH /v1/webhooks/{id}',
  'DELETE /v1/webhooks/{id}',
  'POST /v1/webhooks/{id}/test',
  'POST /v1/webhooks/{id}/rotate',
  'GET /v1/webhooks/{id}/deliveries',
  'POST /v1/webhooks/{id}/deliveries/{delivery}/replay',
  'POST /v1/reviews',
  'GET /v1/reviews',
  'GET /v1/reviews/overrides',
  'GET /v1/reviews/checks',
  'GET /v1/reviews/checks/settings',
  'GET /v1/reviews/checks/metrics',
  'GET /v1/reviews/rules',
  'PUT /v1/reviews/rules',
  'GET /v1/reviews/{id}',
  'POST /v1/reviews/{id}/release',
  'POST /v1/reviews/{id}/fix',
  'DELETE /v1/reviews/{id}',
  'PATCH /v1/reviews/{id}/findings/{finding_id}',
  'GET /v1/reviews/{id}/findings/{finding_id}/signals',
  'GET /v1/settings/reviews',
  'PUT /v1/settings/reviews',
  'GET /v1/settings/mcp-servers',
  'PUT /v1/settings/mcp-servers',
];

/** The requirements for a person signed in to the dashboard, viewing one organization (`user`) or a workspace. */
export type SessionRow = Pick<AccessRow, 'user' | 'workspace' | 'plan' | 'right' | 'sample'>;

const digests = '/dashboard/v1/digests';
const unknownDigest = `${digests}/00000000-0000-4000-8000-000000000000`;

/** Endpoints only for people signed in to the dashboard. */
export const dashboardTable: Readonly<Record<string, SessionRow>> = {
  'GET /dashboard/v1/digests/content': {
    user: 'own',
    workspace: 'forbidden',
    plan: 'enterprise',
    right: 'none',
    sample: { path: `${digests}/content` },
  },
  'GET /dashboard/v1/digests/preview': {
    user: 'own',
    workspace: 'forbidden',
    plan: 'enterprise',
    right: 'admin',
    sample: { path: `${digests}/preview` },
  },
  'GET /dashboard/v1/digests': {
    user: 'own',
    workspace: 'forbidden',
    plan: 'enterprise',
    right: 'admin',
    sample: { path: digests },
  },
  'POST /dashboard/v1/digests': {
    user: 'own',
    workspace: 'forbidden',
    plan: 'enterprise',
    right: 'admin',
    sample: { path: digests, body: { recipients: ['a@acme.test'] } },
  },
  'PATCH /dashboard/v1/digests/{id}': {
    user: 'own',
    workspace: 'forbidden',
    plan: 'enterprise',
    right: 'admin',
    sample: { path: unknownDigest, body: { hour: 9 } },
  },
  'DELETE /dashboard/v1/digests/{id}': {
    user: 'own',
    workspace: 'forbidden',
    plan: 'enterprise',
    right: 'admin',
    sample: { path: unknownDigest },
  },
  'POST /dashboard/v1/digests/{id}/test': {
    user: 'own',
    workspace: 'forbidden',
    plan: 'enterprise',
    right: 'admin',
    sample: { path: `${unknownDigest}/test`, body: { channel: 'mail' } },
  },
  'GET /dashboard/v1/dependencies': {
    user: 'own',
    workspace: 'one',
    plan: 'enterprise',
    right: 'organization_management:read',
    sample: { path: '/dashboard/v1/dependencies' },
  },
  'GET /dashboard/v1/dependencies/repositories': {
    user: 'own',
    workspace: 'one',
    plan: 'enterprise',
    right: 'organization_management:read',
    sample: { path: '/dashboard/v1/dependencies/repositories' },
  },
  'GET /dashboard/v1/dependencies/sbom': {
    user: 'own',
    workspace: 'one',
    plan: 'enterprise',
    right: 'organization_management:read',
    sample: { path: '/dashboard/v1/dependencies/sbom?repository_id=501' },
  },
  'GET /dashboard/v1/dependencies/export': {
    user: 'own',
    workspace: 'one',
    plan: 'enterprise',
    right: 'organization_management:read',
    sample: { path: '/dashboard/v1/dependencies/export' },
  },
  'GET /dashboard/v1/keys': {
    user: 'own',
    workspace: 'all',
    plan: 'any',
    right: 'api_access:read',
    sample: { path: '/dashboard/v1/keys' },
  },
  'POST /dashboard/v1/keys': {
    user: 'own',
    workspace: 'all',
    plan: 'any',
    right: 'api_access:write',
    sample: { path: '/dashboard/v1/keys', body: { name: 'ci', expires_at: '2026-12-31T00:00:00Z' } },
  },
  'DELETE /dashboard/v1/keys/{id}': {
    user: 'own',
    workspace: 'all',
    plan: 'any',
    right: 'api_access:delete',
    sample: { path: '/dashboard/v1/keys/00000000-0000-4000-8000-000000000000' },
  },
  'GET /dashboard/v1/people': {
    user: 'own',
    workspace: 'all',
    plan: 'enterprise',
    right: 'admin',
    sample: { path: '/dashboard/v1/people?search=user' },
  },
  'POST /dashboard/v1/people/invitations': {
    user: 'own',
    workspace: 'all',
    plan: 'enterprise',
    right: 'admin',
    sample: { path: '/dashboard/v1/people/invitations', body: { email: 'nobody@acme.test' } },
  },
  'GET /dashboard/v1/audit-log': {
    user: 'own',
    workspace: 'all',
    plan: 'enterprise',
    right: 'admin',
    sample: { path: '/dashboard/v1/audit-log' },
  },
  'GET /dashboard/v1/audit-log/export': {
    user: 'own',
    workspace: 'all',
    plan: 'enterprise',
    right: 'admin',
    sample: { path: '/dashboard/v1/audit-log/export' },
  },
  'GET /dashboard/v1/learnings/usage': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'enterprise',
    right: 'none',
    sample: { path: '/dashboard/v1/learnings/usage' },
  },
  'GET /dashboard/v1/learnings/health': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'enterprise',
    right: 'none',
    sample: { path: '/dashboard/v1/learnings/health' },
  },
  'GET /dashboard/v1/learnings/{learning_id}/findings': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'enterprise',
    right: 'none',
    sample: { path: `/dashboard${someLearning}/findings` },
  },
  'POST /dashboard/v1/learnings/retirements': {
    user: 'own',
    workspace: 'one',
    plan: 'enterprise',
    right: 'learning:write',
    sample: {
      path: '/dashboard/v1/learnings/retirements',
      body: { action: 'retire', ids: ['00000000-0000-4000-8000-000000000000'] },
    },
  },
  'POST /dashboard/v1/learnings/merges': {
    user: 'own',
    workspace: 'one',
    plan: 'enterprise',
    right: 'learning:write',
    sample: {
      path: '/dashboard/v1/learnings/merges',
      body: {
        kept_id: '00000000-0000-4000-8000-000000000000',
        retired_id: '00000000-0000-4000-8000-000000000001',
      },
    },
  },
  'POST /dashboard/v1/learnings/told-apart': {
    user: 'own',
    workspace: 'one',
    plan: 'enterprise',
    right: 'learning:write',
    sample: {
      path: '/dashboard/v1/learnings/told-apart',
      body: { ids: ['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000001'] },
    },
  },
  'GET /dashboard/v1/security/findings': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'any',
    right: 'security:read',
    sample: { path: '/dashboard/v1/security/findings' },
  },
  'GET /dashboard/v1/security/findings/{id}': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'any',
    right: 'security:read',
    sample: { path: '/dashboard/v1/security/findings/00000000-0000-4000-8000-000000000000' },
  },
  'POST /dashboard/v1/security/findings/{id}/dismissal': {
    user: 'own',
    workspace: 'one',
    plan: 'any',
    right: 'security:write',
    sample: {
      path: '/dashboard/v1/security/findings/00000000-0000-4000-8000-000000000000/dismissal',
      body: { reason: 'Only in tests' },
    },
  },
  'GET /dashboard/v1/review-progress': {
    user: 'own',
    workspace: 'one',
    plan: 'any',
    right: 'none',
    sample: { path: '/dashboard/v1/review-progress?runs=00000000-0000-4000-8000-000000000000' },
  },
  'GET /dashboard/v1/reviews/{id}/files': {
    user: 'own',
    workspace: 'one',
    plan: 'any',
    right: 'repository_management:read',
    sample: { path: '/dashboard/v1/reviews/00000000-0000-4000-8000-000000000000/files' },
  },
  'GET /dashboard/v1/reviews/{id}/patch': {
    user: 'own',
    workspace: 'one',
    plan: 'any',
    right: 'repository_management:read',
    sample: { path: '/dashboard/v1/reviews/00000000-0000-4000-8000-000000000000/patch?path=src/a.ts' },
  },
  'GET /dashboard/v1/reviews/{id}/lines': {
    user: 'own',
    workspace: 'one',
    plan: 'any',
    right: 'repository_management:read',
    sample: {
      path: '/dashboard/v1/reviews/00000000-0000-4000-8000-000000000000/lines?path=src/a.ts&start=1&end=5',
    },
  },
  'GET /dashboard/v1/pull-requests/{repository_id}/{number}': {
    user: 'own',
    workspace: 'one',
    plan: 'any',
    right: 'none',
    sample: { path: '/dashboard/v1/pull-requests/501/1' },
  },
  'GET /dashboard/v1/pull-requests/{repository_id}/{number}/conversation': {
    user: 'own',
    workspace: 'one',
    plan: 'any',
    right: 'repository_management:read',
    sample: { path: '/dashboard/v1/pull-requests/501/1/conversation' },
  },
  'GET /dashboard/v1/reviews/{id}/comparison': {
    user: 'own',
    workspace: 'one',
    plan: 'any',
    right: 'none',
    sample: { path: '/dashboard/v1/reviews/00000000-0000-4000-8000-000000000000/comparison' },
  },
  'GET /dashboard/v1/learnings/pending': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'enterprise',
    right: 'admin',
    sample: { path: '/dashboard/v1/learnings/pending' },
  },
  'POST /dashboard/v1/learnings/decisions': {
    user: 'own',
    workspace: 'one',
    plan: 'enterprise',
    right: 'admin',
    sample: {
      path: '/dashboard/v1/learnings/decisions',
      body: { decision: 'approved', ids: ['00000000-0000-4000-8000-000000000000'] },
    },
  },
  'GET /dashboard/v1/security/summary': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'any',
    right: 'security:read',
    sample: { path: '/dashboard/v1/security/summary' },
  },
  'GET /dashboard/v1/insights/pull-requests': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'enterprise',
    right: 'none',
    sample: { path: '/dashboard/v1/insights/pull-requests?start_date=2026-06-01&end_date=2026-06-30' },
  },
  'GET /dashboard/v1/insights/pull-requests/{repository_id}/{number}': {
    user: 'own',
    workspace: 'one',
    plan: 'enterprise',
    right: 'none',
    sample: { path: '/dashboard/v1/insights/pull-requests/501/1' },
  },
  'GET /dashboard/v1/insights/choices': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'enterprise',
    right: 'none',
    sample: { path: '/dashboard/v1/insights/choices?of=team&start_date=2026-06-01&end_date=2026-06-30' },
  },
  'GET /dashboard/v1/insights/names': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'enterprise',
    right: 'none',
    sample: { path: '/dashboard/v1/insights/names?author_ids=9001' },
  },
  'GET /dashboard/v1/insights/comments': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'enterprise',
    right: 'none',
    sample: { path: '/dashboard/v1/insights/comments?start_date=2026-06-01&end_date=2026-06-30' },
  },
  'GET /dashboard/v1/inbox': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'any',
    right: 'none',
    sample: { path: '/dashboard/v1/inbox?tab=all' },
  },
  'GET /dashboard/v1/inbox/summary': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'any',
    right: 'none',
    sample: { path: '/dashboard/v1/inbox/summary' },
  },
  'GET /dashboard/v1/review-titles': {
    user: 'own',
    workspace: 'one',
    plan: 'any',
    right: 'none',
    sample: { path: '/dashboard/v1/review-titles?runs=00000000-0000-4000-8000-000000000000' },
  },
  'GET /dashboard/v1/search': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'any',
    right: 'none',
    sample: { path: '/dashboard/v1/search?search=fix' },
  },
  'GET /dashboard/v1/insights/known-data': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'enterprise',
    right: 'none',
    sample: { path: '/dashboard/v1/insights/known-data' },
  },
  'GET /dashboard/v1/insights/summary': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'enterprise',
    right: 'none',
    sample: { path: '/dashboard/v1/insights/summary?start_date=2026-06-01&end_date=2026-06-30' },
  },
  'GET /dashboard/v1/insights/breakdown': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'enterprise',
    right: 'none',
    sample: { path: '/dashboard/v1/insights/breakdown?by=author&start_date=2026-06-01&end_date=2026-06-30' },
  },
  'PATCH /dashboard/v1/insights/pull-requests/{repository_id}/{number}/comments/{finding_id}': {
    user: 'own',
    workspace: 'one',
    plan: 'enterprise',
    right: 'none',
    sample: { path: '/dashboard/v1/insights/pull-requests/501/1/comments/f', body: { accepted: true } },
  },
  'GET /dashboard/v1/insights/pull-requests/{repository_id}/{number}/comments/{finding_id}/signals': {
    user: 'own',
    workspace: 'one',
    plan: 'enterprise',
    right: 'none',
    sample: { path: '/dashboard/v1/insights/pull-requests/501/1/comments/f/signals' },
  },
  'GET /dashboard/v1/metrics/summary': {
    user: 'own',
    workspace: 'all_or_one',
    plan: 'enterprise',
    right: 'none',
    sample: { path: '/dashboard/v1/metrics/summary?start_date=2026-06-01&end_date=2026-06-30' },
  },
  'GET /dashboard/v1/settings': {
    user: 'own',
    workspace: 'forbidden',
    plan: 'any',
    right: 'organization_management:read',
    sample: { path: '/dashboard/v1/settings' },
  },
  'PATCH /dashboard/v1/settings': {
    user: 'own',
    workspace: 'forbidden',
    plan: 'any',
    right: 'organization_management:write',
    sample: { path: '/dashboard/v1/settings', body: { approval_delay_days: 3 } },
  },
};
