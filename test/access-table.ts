/**
 * Who may call what, written by hand from the contract's key matrix. A test holds every declared endpoint against
 * it, so that an endpoint cannot appear, or open up, without an edit to this file.
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
  /** bucket, requests a minute, counted per. */
  readonly limit: readonly [string, number, 'key' | 'written_organization'];
  /** A request that is right in shape; `{organization}` stands for the id of the key's own organization. */
  readonly sample: { readonly path: string; readonly body?: Record<string, unknown> };
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

const learningsRead = {
  organization: 'own',
  user: 'own',
  workspace: 'all_or_one',
  instance: 'all_or_selected',
  legacy: 'own',
  agentic: 'forbidden',
  plan: 'enterprise',
  right: 'none',
  limit: ['learnings-read', 60, 'key'],
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

const someLearning = '/v1/learnings/00000000-0000-5000-8000-000000000001';

export const accessTable: Readonly<Record<string, AccessRow>> = {
  'GET /v1/organizations': {
    ...inventory,
    limit: ['organizations', 10, 'key'],
    sample: { path: '/v1/organizations' },
  },
  'GET /v1/organizations/{organization_id}/repositories': {
    ...inventory,
    limit: ['repositories', 10, 'key'],
    sample: { path: '/v1/organizations/{organization}/repositories' },
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
  'GET /v1/me': {
    organization: 'own',
    user: 'own',
    workspace: 'all',
    instance: 'all',
    legacy: 'own',
    agentic: 'own',
    plan: 'any',
    right: 'none',
    limit: ['me', 60, 'key'],
    sample: { path: '/v1/me' },
  },
};

/** Behind the operator token. */
export const operatorEndpoints: readonly string[] = [
  'PUT /operator/v1/platform',
  'GET /operator/v1/platform',
  'POST /operator/v1/keys',
  'GET /operator/v1/keys',
  'DELETE /operator/v1/keys/{id}',
  'POST /operator/v1/events',
  'GET /metrics',
];

/** Open to everybody. */
export const publicEndpoints: readonly string[] = ['GET /health', 'GET /ready', 'GET /openapi.json'];
