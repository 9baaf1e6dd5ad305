import fastifyCompress from '@fastify/compress';
import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { createKeyAuthenticator } from './access/authenticate.ts';
import { recordKeyUsage } from './access/key-usage.ts';
import { createRateLimiter, type RateLimiter } from './access/rate-limit.ts';
import { apiKeyEndpoints } from './capabilities/api-keys/routes.ts';
import { auditLogEndpoints } from './capabilities/audit-log/routes.ts';
import type { Capability } from './capabilities/capability.ts';
import { connections } from './capabilities/connections/connections-capability.ts';
import type { HostDeps } from './capabilities/connections/open-host.ts';
import { measureConnections } from './capabilities/connections/setup/measure-connections.ts';
import { conversations } from './capabilities/conversations/conversations-capability.ts';
import { eventSourceEndpoints } from './capabilities/event-sources/routes.ts';
import { findings } from './capabilities/findings/findings-capability.ts';
import { pullRequestFindingEndpoints } from './capabilities/insights/finding-routes.ts';
import { createEventSink } from './capabilities/intake/event-sink.ts';
import { defaultEventMemoryDays, forgetEvents } from './capabilities/intake/forget-events.ts';
import { intakeMetrics } from './capabilities/intake/intake-metrics.ts';
import { intakeEndpoints } from './capabilities/intake/routes.ts';
import type { Embedder } from './capabilities/learnings/embedding/embedder.ts';
import { withCache } from './capabilities/learnings/embedding/embedding-cache.ts';
import { watchEmbedder } from './capabilities/learnings/embedding/watch-embedder.ts';
import { learningsCapability } from './capabilities/learnings/learnings-capability.ts';
import { findLearningsForReview } from './capabilities/learnings/search/find-for-review.ts';
import { ReviewIndex } from './capabilities/learnings/search/review-index.ts';
import { operatorEndpoints } from './capabilities/operator/routes.ts';
import { organizationEndpoints } from './capabilities/organizations/routes.ts';
import { peopleEndpoints } from './capabilities/people/routes.ts';
import { pullRequestAuthorFollower } from './capabilities/people/seats/assign-seats-to-authors.ts';
import { reviewMetrics } from './capabilities/review-metrics/routes.ts';
import { installationModel } from './capabilities/reviews/gathering/installation-model.ts';
import { defaultMirrorsMaxBytes, mirrorLimits } from './capabilities/reviews/mirror/mirror-limits.ts';
import { type ReviewsDeps, reviews } from './capabilities/reviews/reviews-capability.ts';
import { roleEndpoints } from './capabilities/roles/routes.ts';
import { scimEndpoints } from './capabilities/scim/routes.ts';
import { measureSecrets } from './capabilities/secrets/measure-secrets.ts';
import { secretEndpoints } from './capabilities/secrets/routes.ts';
import { securityFindings } from './capabilities/security-findings/capability.ts';
import { measureDatabase } from './capabilities/service/measure-database.ts';
import { measureWork } from './capabilities/service/measure-work.ts';
import { createReadiness, type Readiness } from './capabilities/service/readiness.ts';
import { serviceEndpoints } from './capabilities/service/routes.ts';
import { teamEndpoints } from './capabilities/teams/routes.ts';
import { webhooks } from './capabilities/webhooks/webhooks-capability.ts';
import { distFolder } from './dashboard-build.ts';
import { dashboard, sharedWithDashboard, sharedWithInstallationAdmins } from './dashboard-endpoints.ts';
import type { Database } from './db/database.ts';
import { type IndexesInBackground, watchIndexes } from './db/schema/indexes/index-job.ts';
import { type CursorCodec, createCursorCodec, loadCursorSecret } from './http/cursor.ts';
import type { Endpoint } from './http/endpoint.ts';
import { createHttpServer } from './http/http-server.ts';
import { dropLingeringConnections } from './http/lingering-connections.ts';
import { mountEndpoints } from './http/mount.ts';
import { mountApiDocs } from './http/pages/api-docs.ts';
import { mountDashboardPages } from './http/pages/dashboard-pages.ts';
import { createProcessMetrics } from './http/process-metrics.ts';
import { errorShapes } from './http/reply/error-shapes.ts';
import { createLargeBodies } from './http/request/large-bodies.ts';
import type { Job } from './lib/job.ts';
import type { Logger } from './lib/log.ts';
import { measureJobs } from './lib/measure-jobs.ts';
import type { MetricsRegistry } from './lib/metrics.ts';
import { callOwnApi } from './mcp/call-api.ts';
import { type McpDeps, mcpEndpoint } from './mcp/routes.ts';
import { publicAddresses } from './outbound/address-guard.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { Vault } from './secrets/vault.ts';
import type { Settings } from './settings.ts';
import type { AnyUnit, WorkQueue } from './work/work-queue.ts';

export interface AppDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly embedder: Embedder;
  /** How much memory to use for caching recent embeddings. */
  readonly embeddingCacheBytes?: number;
  readonly operatorToken: string;
  readonly vault: Vault;
  readonly outbound: Outbound;
  /** Calls the addresses that organizations may name. */
  readonly customerOutbound: Outbound;
  readonly queue: WorkQueue;
  /** The model that looks at changes besides the rules, if not the one of the settings. */
  readonly reviewModel?: ReviewsDeps['model'];
  /** Hosts in use, by their credentials; tests put doubles there. */
  readonly openHosts?: HostDeps['openHosts'];
  /** Where reviews keep copies of repositories. */
  readonly mirrorsFolder: string;
  /** Where this server can be reached, if no public URL is set. */
  readonly ownUrl: () => string;
  /** Where the built dashboard is, if not in the default location. */
  readonly dashboardFolder?: string;
  /** Whether building the dashboard has failed. */
  readonly hasDashboardFailed?: () => boolean;
  /** How long callers may take to send a body, if not the default. */
  readonly bodyTimeoutMs?: number;
  readonly settings: Pick<Settings, 'metricsPerMinute' | 'apiKeyHeaderAliases'> &
    Partial<
      Pick<
        Settings,
        | 'customerAddresses'
        | 'mirrorsMaxBytes'
        | 'model'
        | 'reviewLimits'
        | 'searchPath'
        | 'eventMemoryDays'
        | 'trustProxy'
        | 'publicUrl'
        | 'oidc'
      >
    >;
}

export interface App {
  readonly server: FastifyInstance;
  readonly endpoints: readonly Endpoint[];
  readonly jobs: readonly Job[];
  readonly units: readonly AnyUnit[];
  /** Finishes requests in flight and saves what is still in memory. */
  close(): Promise<void>;
}

/** Assembles the endpoints, event types and jobs of every capability. */
export function assemble(
  deps: AppDeps & {
    readonly limiter: RateLimiter;
    readonly registry: MetricsRegistry;
    readonly readiness: Readiness;
    /** Whether statements can rely on an index that is built in the background. */
    readonly isIndexReady: IndexesInBackground['isReady'];
    /** Makes requests to the app's own API, once it is there. */
    readonly callApi: McpDeps['callApi'];
    /** Aborted when the server stops. */
    readonly stopping: AbortSignal;
  },
  cursors: CursorCodec,
  renderMetrics: () => Promise<string>,
): Required<Pick<Capability, 'endpoints' | 'jobs' | 'units'>> {
  const customerAddresses = publicAddresses(deps.settings.customerAddresses ?? { ranges: [], hosts: [] });
  const publicUrl = () => deps.settings.publicUrl ?? deps.ownUrl();
  const learnings = { ...deps, reviewIndex: new ReviewIndex(deps) };
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
    webhooks({ ...deps, customerAddresses }),
    {
      endpoints: [
        mcpEndpoint({ ...deps, onError: (error) => deps.log.warn({ err: error }, 'MCP: a message failed') }),
      ],
    },
  ];
  const intake = {
    ...deps,
    types: own.flatMap((capability) => capability.eventTypes ?? []),
    followers: own.flatMap((capability) => capability.eventFollowers ?? []),
    locks: own.flatMap((capability) => capability.eventLocks ?? []),
    onError: (error: unknown) => deps.log.error({ err: error }, 'event failed'),
    metrics: intakeMetrics(deps.registry),
    eventMemoryDays: deps.settings.eventMemoryDays ?? defaultEventMemoryDays,
  };
  const acceptEvents = createEventSink(intake);
  const eventTypes = intake.types.map(({ type }) => type).sort();
  // Shared, so that an app keeps its tokens and the limits of a host hold for all who call it.
  const hosts = { ...deps, openHosts: deps.openHosts ?? new Map() };
  const reviewing = reviews({
    ...hosts,
    maxSeconds: deps.settings.reviewLimits?.maxSeconds,
    searchPath: deps.settings.searchPath,
    customerAddresses,
    model: deps.reviewModel ?? installationModel(deps.settings, deps.outbound),
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
      model: reviewing.model,
    },
    outcomes.pullRequests,
  );
  const connected = connections({
    ...hosts,
    pullRequests: talking.pullRequests,
    cursors,
    acceptEvents,
    publicUrl,
    onError: (error) => deps.log.error({ err: error }, 'connections: something failed'),
  });
  const capabilities: Capability[] = [
    ...own,
    outcomes,
    talking,
    { endpoints: pullRequestFindingEndpoints({ ...deps, reportUnit: outcomes.reportUnit }) },
    { endpoints: eventSourceEndpoints({ ...deps, cursors, eventTypes }) },
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
    jobs: [...capabilities.flatMap((capability) => capability.jobs ?? []), forgetEvents(deps)],
    units: capabilities.flatMap((capability) => capability.units ?? []),
  };
}

/** Creates the HTTP server with everything mounted; tests use it, too. It does not listen yet. */
export async function createApp(deps: AppDeps): Promise<App> {
  const cursors = createCursorCodec(await loadCursorSecret(deps.database.sql));
  const metrics = createProcessMetrics();
  const limiter = createRateLimiter(deps.database.sql);
  const { registry } = metrics;
  const readiness = createReadiness(deps.database);
  const indexes = await watchIndexes(deps);
  const embedder = withCache(
    watchEmbedder(deps.embedder, { log: deps.log, registry }),
    deps.embeddingCacheBytes,
  );
  const keyHeaders = ['x-service-api-key', ...deps.settings.apiKeyHeaderAliases];
  const callApi = callOwnApi(() => server, keyHeaders);
  const stopping = new AbortController();
  const parts = {
    ...deps,
    embedder,
    limiter,
    registry,
    readiness,
    isIndexReady: indexes.isReady,
    callApi,
    stopping: stopping.signal,
  };
  const { endpoints, jobs, units } = assemble(parts, cursors, metrics.render);
  const countUnavailable = measureDatabase(registry, deps.database);
  measureWork(registry, deps);
  measureSecrets(registry, deps);
  measureConnections(registry, deps.database);
  const keyUsage = recordKeyUsage(deps.database.sql, (error) =>
    deps.log.warn({ err: error }, 'key usage not recorded'),
  );
  const errorShapeOf = errorShapes(endpoints);
  const { server, clients } = createHttpServer({
    log: deps.log,
    trustProxy: deps.settings.trustProxy ?? false,
    errorShapeOf,
  });
  dropLingeringConnections(server.server);
  metrics.observe(server);
  // Without its hook: only the dashboard's endpoints read cookies.
  await server.register(fastifyCookie, { hook: false });
  await server.register(fastifyCompress, {
    encodings: ['gzip', 'identity'],
    threshold: 1024,
    zlibOptions: { level: 1 },
    globalDecompression: false,
  });
  mountEndpoints(
    server,
    {
      database: deps.database,
      clock: deps.clock,
      keys: createKeyAuthenticator(deps.database.sql, limiter),
      rateLimiter: limiter,
      cursors,
      keyUsage,
      keyHeaders,
      operatorToken: deps.operatorToken,
      dashboard: deps.settings,
      largeBodies: createLargeBodies(),
      bodyTimeoutMs: deps.bodyTimeoutMs,
      onFailure: (error) => {
        readiness.noteError(error);
        countUnavailable(error);
      },
    },
    endpoints,
    errorShapeOf,
  );
  await mountApiDocs(server);
  await mountDashboardPages(
    server,
    deps.dashboardFolder ?? distFolder,
    endpoints.map(({ path }) => path),
    deps.hasDashboardFailed,
  );
  return {
    server,
    endpoints,
    units,
    jobs: measureJobs(registry, [...jobs, indexes.job, limiter.sweep]),
    async close() {
      stopping.abort();
      const closing = clients.close();
      await server.close().finally(closing);
      await keyUsage.stop();
    },
  };
}
