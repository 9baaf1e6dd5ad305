import type { RateLimiter } from './access/rate-limit.ts';
import type { AppDeps } from './app-deps.ts';
import { advisoryEndpoints } from './capabilities/advisories/routes.ts';
import { storedAdvisories } from './capabilities/advisories/stored-advisories.ts';
import { apiKeyEndpoints } from './capabilities/api-keys/routes.ts';
import { auditLogEndpoints } from './capabilities/audit-log/routes.ts';
import type { Capability } from './capabilities/capability.ts';
import { connections } from './capabilities/connections/connections-capability.ts';
import { conversations } from './capabilities/conversations/conversations-capability.ts';
import { dependencyInventories } from './capabilities/dependencies/dependencies-capability.ts';
import { digests } from './capabilities/digests/digests-capability.ts';
import { eventSourceEndpoints } from './capabilities/event-sources/routes.ts';
import { findings } from './capabilities/findings/findings-capability.ts';
import { pullRequestFindingEndpoints } from './capabilities/insights/finding-routes.ts';
import { createEventSink } from './capabilities/intake/event-sink.ts';
import { typesByName } from './capabilities/intake/event-type.ts';
import { defaultEventMemoryDays, forgetEvents } from './capabilities/intake/forget-events.ts';
import { intakeMetrics } from './capabilities/intake/intake-metrics.ts';
import { intakeEndpoints } from './capabilities/intake/routes.ts';
import { learningsCapability } from './capabilities/learnings/learnings-capability.ts';
import { findLearningsForReview } from './capabilities/learnings/search/find-for-review.ts';
import { IndexCache } from './capabilities/learnings/search/index-cache.ts';
import { noteMissingFiles } from './capabilities/learnings/upkeep/note-missing-files.ts';
import { operatorEndpoints } from './capabilities/operator/routes.ts';
import { organizationEndpoints } from './capabilities/organizations/routes.ts';
import { peopleEndpoints } from './capabilities/people/routes.ts';
import { pullRequestAuthorFollower } from './capabilities/people/seats/assign-seats-to-authors.ts';
import { reviewMetrics } from './capabilities/review-metrics/routes.ts';
import { installationModel } from './capabilities/reviews/gathering/installation-model.ts';
import { defaultMirrorsMaxBytes, mirrorLimits } from './capabilities/reviews/mirror/mirror-limits.ts';
import { reviews } from './capabilities/reviews/reviews-capability.ts';
import { roleEndpoints } from './capabilities/roles/routes.ts';
import { scimEndpoints } from './capabilities/scim/routes.ts';
import { secretEndpoints } from './capabilities/secrets/routes.ts';
import { securityFindings } from './capabilities/security-findings/security-findings-capability.ts';
import type { Readiness } from './capabilities/service/readiness.ts';
import { serviceEndpoints } from './capabilities/service/routes.ts';
import { teamEndpoints } from './capabilities/teams/routes.ts';
import { webhooks } from './capabilities/webhooks/webhooks-capability.ts';
import { dashboard, sharedWithDashboard, sharedWithInstallationAdmins } from './dashboard-endpoints.ts';
import { keepArchive } from './db/archive/keep-archive.ts';
import type { LaggingReads } from './db/replicas/lagging-reads.ts';
import type { IndexesInBackground } from './db/schema/indexes/watch-indexes.ts';
import type { CursorCodec } from './http/cursor.ts';
import type { Endpoint } from './http/endpoint.ts';
import type { MetricsRegistry } from './lib/metrics.ts';
import { type McpDeps, mcpEndpoint } from './mcp/routes.ts';
import { publicAddresses } from './outbound/address-guard.ts';
import { createMailer } from './outbound/mail.ts';
import type { ReviewProcesses } from './reviewer/process/part.ts';

/** Assembles the endpoints, event types and schedules of every capability. */
export function assemble(
  deps: AppDeps & {
    readonly limiter: RateLimiter;
    readonly registry: MetricsRegistry;
    readonly readiness: Readiness;
    readonly reads: LaggingReads;
    /** The processes that read untrusted code. */
    readonly processes: ReviewProcesses;
    /** Whether statements can rely on an index that is built in the background. */
    readonly isIndexReady: IndexesInBackground['isReady'];
    /** Makes requests to the app's own API, once that exists. */
    readonly callApi: McpDeps['callApi'];
    /** Aborted when the server stops. */
    readonly stopping: AbortSignal;
  },
  cursors: CursorCodec,
  renderMetrics: () => Promise<string>,
): Required<Pick<Capability, 'endpoints' | 'schedules' | 'units'>> {
  const customerAddresses = publicAddresses(deps.settings.customerAddresses ?? { ranges: [], hosts: [] });
  const { archive, dataDirectory } = deps.settings;
  const publicUrl = () => deps.settings.publicUrl ?? deps.ownUrl();
  const learnings = { ...deps, indexCache: new IndexCache(deps) };
  const own: Capability[] = [
    { endpoints: organizationEndpoints(deps) },
    { endpoints: peopleEndpoints(deps), eventFollowers: [pullRequestAuthorFollower] },
    { endpoints: roleEndpoints(deps) },
    { endpoints: teamEndpoints(deps) },
    { endpoints: scimEndpoints({ ...deps, publicUrl }) },
    { endpoints: auditLogEndpoints(deps) },
    securityFindings(deps),
    learningsCapability(learnings),
    { endpoints: operatorEndpoints(deps) },
    { endpoints: apiKeyEndpoints({ ...deps, cursors }) },
    reviewMetrics(deps),
    dashboard({ ...deps, cursors }),
    { endpoints: secretEndpoints(deps) },
    { endpoints: advisoryEndpoints(deps) },
    webhooks({ ...deps, customerAddresses }),
    digests({
      ...deps,
      cursors,
      customerAddresses,
      publicUrl,
      mailer: deps.settings.mail && createMailer(deps.settings.mail),
    }),
    {
      endpoints: [
        mcpEndpoint({ ...deps, onError: (error) => deps.log.warn({ err: error }, 'MCP: a message failed') }),
      ],
    },
  ];
  const intake = {
    ...deps,
    types: typesByName(own.flatMap((capability) => capability.eventTypes ?? [])),
    followers: own.flatMap((capability) => capability.eventFollowers ?? []),
    locks: own.flatMap((capability) => capability.eventLocks ?? []),
    onError: (error: unknown) => deps.log.error({ err: error }, 'event failed'),
    metrics: intakeMetrics(deps.registry),
    eventMemoryDays: deps.settings.eventMemoryDays ?? defaultEventMemoryDays,
  };
  const acceptEvents = createEventSink(intake);
  // Shared by all capabilities, so that an app keeps its tokens and a host's rate limits apply to all of them.
  const hosts = { ...deps, openHosts: deps.openHosts ?? new Map() };
  const reviewing = reviews({
    ...hosts,
    maxSeconds: deps.settings.reviewLimits?.maxSeconds,
    searchPath: deps.settings.searchPath,
    customerAddresses,
    model: deps.reviewModel ?? installationModel(deps.settings, deps.outbound),
    findAdvisories: storedAdvisories(deps.database),
    findLearnings: (repository, pullRequest, query) =>
      findLearningsForReview(learnings, repository, { now: deps.clock(), pullRequest }, query),
    acceptEvents,
    onReportFailure: (error) => deps.log.error({ err: error }, 'reviews: a report failed'),
    mirrors: {
      folder: deps.mirrorsFolder,
      ...mirrorLimits(deps.settings.mirrorsMaxBytes ?? defaultMirrorsMaxBytes),
    },
    runUrl: ({ organizationId, runId }) => `${publicUrl()}/organizations/${organizationId}/reviews/${runId}`,
    requestReading: (served, number) => connected.requestReading(served, number),
  });
  const outcomes = findings(
    { ...hosts, acceptEvents, mirrors: reviewing.mirrors, searchPath: deps.settings.searchPath },
    reviewing.pullRequests,
  );
  const talking = conversations(
    {
      ...hosts,
      acceptEvents,
      mirrors: reviewing.mirrors,
      searchPath: deps.settings.searchPath,
      runUnit: reviewing.runUnit,
      reportUnit: outcomes.reportUnit,
      checking: reviewing.checking,
      model: reviewing.model,
    },
    outcomes.pullRequests,
  );
  const depending = dependencyInventories(
    {
      ...hosts,
      mirrors: reviewing.mirrors,
      searchPath: deps.settings.searchPath,
      findAdvisories: storedAdvisories(deps.database),
      onBranchRead: (repository, findPresent) =>
        noteMissingFiles(deps, repository, deps.clock(), findPresent),
    },
    talking.pullRequests,
  );
  const connected = connections({
    ...hosts,
    pullRequests: depending.pullRequests,
    cursors,
    acceptEvents,
    publicUrl,
    onError: (error) => deps.log.error({ err: error }, 'connections: something failed'),
  });
  const capabilities: Capability[] = [
    ...own,
    outcomes,
    talking,
    depending,
    { endpoints: pullRequestFindingEndpoints({ ...deps, reportUnit: outcomes.reportUnit }) },
    {
      endpoints: eventSourceEndpoints({
        ...deps,
        cursors,
        eventTypes: [...intake.types.keys(), ...reportedTypes(reviewing)].sort(),
      }),
    },
    reviewing,
    connected,
  ];
  const declared = capabilities.flatMap((capability) => capability.endpoints ?? []);
  const endpoints: Endpoint[] = [
    ...declared,
    ...sharedWithDashboard(declared),
    ...sharedWithInstallationAdmins(declared),
    ...intakeEndpoints(intake),
    ...serviceEndpoints({ ...deps, renderMetrics, allEndpoints: () => endpoints }),
  ];
  return {
    endpoints,
    schedules: [
      ...capabilities.flatMap((capability) => capability.schedules ?? []),
      forgetEvents(deps),
      ...(archive && dataDirectory ? [keepArchive(deps, { ...archive, directory: dataDirectory })] : []),
    ],
    units: capabilities.flatMap((capability) => capability.units ?? []),
  };
}

/** The types that event sources can report to separate endpoints, in addition to events. */
function reportedTypes({ endpoints = [] }: Capability): string[] {
  return endpoints.flatMap((endpoint) =>
    endpoint.audience === 'key' && endpoint.sources !== undefined ? [endpoint.sources.type] : [],
  );
}
