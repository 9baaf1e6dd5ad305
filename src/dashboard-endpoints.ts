import { dashboardKeyEndpoints } from './capabilities/api-keys/dashboard-routes.ts';
import { dashboardAuditEndpoints } from './capabilities/audit-log/dashboard-routes.ts';
import type { Capability } from './capabilities/capability.ts';
import type { DashboardDeps } from './capabilities/dashboard-session/deps.ts';
import { dashboardOperatorEndpoints } from './capabilities/dashboard-session/operator-routes.ts';
import { dashboardSessionEndpoints } from './capabilities/dashboard-session/routes.ts';
import { deleteExpiredSessions } from './capabilities/dashboard-session/schedules.ts';
import { firstStepEndpoints } from './capabilities/first-steps/routes.ts';
import { dashboardInboxEndpoints } from './capabilities/inbox/dashboard-routes.ts';
import { dashboardInsightEndpoints } from './capabilities/insights/dashboard-routes.ts';
import { dashboardLearningEndpoints } from './capabilities/learnings/dashboard-routes.ts';
import type { IndexDeps } from './capabilities/learnings/indexing/index-learnings.ts';
import { dashboardSettingsEndpoints } from './capabilities/organization-settings/dashboard-routes.ts';
import { dashboardPeopleEndpoints } from './capabilities/people/dashboard-routes.ts';
import { dashboardMetricsEndpoints } from './capabilities/review-metrics/dashboard-routes.ts';
import { dashboardSecurityEndpoints } from './capabilities/security-findings/dashboard-routes.ts';
import type { LaggingReads } from './db/replicas/lagging-reads.ts';
import type { CursorCodec } from './http/cursor.ts';
import {
  type AccountEndpoint,
  type Endpoint,
  forInstallationAdmins,
  forSession,
  type SessionEndpoint,
} from './http/endpoint.ts';
import type { Logger } from './lib/log.ts';

/** The endpoints for signing in, and those that only the dashboard's pages use. */
export function dashboard(
  deps: DashboardDeps & IndexDeps & { log: Logger; cursors: CursorCodec; reads: LaggingReads },
): Capability {
  return {
    endpoints: [
      ...dashboardSessionEndpoints(deps),
      ...dashboardOperatorEndpoints(deps),
      ...firstStepEndpoints(deps),
      ...dashboardSettingsEndpoints(deps),
      ...dashboardKeyEndpoints(deps),
      ...dashboardMetricsEndpoints(deps),
      ...dashboardInsightEndpoints(deps),
      ...dashboardInboxEndpoints(deps),
      ...dashboardLearningEndpoints(deps),
      ...dashboardSecurityEndpoints(deps),
      ...dashboardPeopleEndpoints(deps),
      ...dashboardAuditEndpoints(deps),
    ],
    schedules: [deleteExpiredSessions(deps)],
  };
}

/** The API endpoints that the dashboard's pages use unchanged. */
const shared = [
  'assignSeats',
  'changeSeatAssignmentMode',
  'giveRole',
  'listRoles',
  'createRole',
  'updateRole',
  'deleteRole',
  'listTeams',
  'readTeam',
  'createTeam',
  'renameTeam',
  'deleteTeam',
  'listTeamMembers',
  'changeTeamMembers',
  'listLearnings',
  'searchLearnings',
  'createLearnings',
  'updateLearning',
  'deleteLearning',
  'listSecurityFindings',
  'createReview',
  'listReviewRuns',
  'listReviewRules',
  'listCheckOverrides',
  'listCheckedPullRequests',
  'readRepositoryChecks',
  'measureChecks',
  'setReviewRule',
  'readReview',
  'cancelReview',
  'releaseReview',
  'fixReview',
  'listDependencies',
  'listDependencyInventories',
  'exportDependencies',
  'judgeFinding',
  'listFindingSignals',
  'readReviewSettings',
  'changeReviewSettings',
  'listMcpServers',
  'changeMcpServers',
  'listWebhooks',
  'createWebhook',
  'changeWebhook',
  'removeWebhook',
  'testWebhook',
  'rotateWebhookSecret',
  'listWebhookDeliveries',
  'replayWebhookDelivery',
];

/**
 * Offers the shared endpoints to signed-in people: with the same declaration and verb, so that there is only one path to the
 * data.
 */
export function sharedWithDashboard(endpoints: readonly Endpoint[]): SessionEndpoint[] {
  return shared.map((operationId) => {
    const endpoint = endpoints.find((candidate) => candidate.operationId === operationId);
    if (endpoint?.audience !== 'key') throw new Error(`The API has no endpoint ${operationId}`);
    return forSession(endpoint);
  });
}

/** Offers the operator's endpoints for connections to admins of the installation, for the dashboard's page about them. */
export function sharedWithInstallationAdmins(endpoints: readonly Endpoint[]): AccountEndpoint[] {
  return endpoints.flatMap((endpoint) =>
    endpoint.audience === 'operator' && endpoint.path.startsWith('/operator/v1/connections')
      ? [forInstallationAdmins(endpoint)]
      : [],
  );
}
