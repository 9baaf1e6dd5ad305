import type { Database } from '../../db/database.ts';
import { type Endpoint, sessionEndpoint } from '../../http/endpoint.ts';
import { summariseFindings } from './inventory/summarise-findings.ts';
import { findingSummary } from './schemas.ts';

/** The dashboard's endpoint for the counts of security findings. */
export function dashboardSecurityEndpoints(deps: { database: Database }): Endpoint[] {
  return [
    sessionEndpoint({
      operationId: 'summariseSecurityFindings',
      method: 'GET',
      path: '/dashboard/v1/security/summary',
      tag: 'Dashboard',
      summary: 'Count the findings by state and severity',
      access: { user: 'own', workspace: 'all_or_one' },
      requires: { plan: 'any', right: 'security:read' },
      responses: { 200: { description: 'The counts', json: findingSummary } },
      handle: async (context) => ({ json: await summariseFindings(deps, context) }),
    }),
  ];
}
