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

const metrics = {
  organization: 'own',
  user: 'own',
  workspace: 'all_or_one',
  instance: 'all_or_selected',
  legacy: 'own',
  agentic: 'forbidden',
  plan: 'enterprise',
  right: 'none',
  limit: ['metrics', 60, 'key'],
} as const;
const march = 'start_date=2026-03-01&end_date=2026-03-31';

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
  'GET /v1/metrics/review-comments': {
    ...metrics,
    sample: { path: `/v1/metrics/review-comments?${march}` },
  },
  'GET /v1/metrics/reviews': { ...metrics, sample: { path: `/v1/metrics/reviews?${march}` } },
  'GET /v1/metrics/mcp': { ...metrics, sample: { path: `/v1/metrics/mcp?${march}` } },
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
