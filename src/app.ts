import fastifyCompress from '@fastify/compress';
import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { createKeyAuthenticator } from './access/authenticate.ts';
import { recordKeyUsage } from './access/key-usage.ts';
import { createRateLimiter } from './access/rate-limit.ts';
import type { AppDeps } from './app-deps.ts';
import { assemble } from './assemble.ts';
import { measureConnections } from './capabilities/connections/setup/measure-connections.ts';
import { measureDigests } from './capabilities/digests/sending/measure-digests.ts';
import { withCache } from './capabilities/learnings/embedding/embedding-cache.ts';
import { watchEmbedder } from './capabilities/learnings/embedding/watch-embedder.ts';
import { measureSecrets } from './capabilities/secrets/measure-secrets.ts';
import { countEndedParts } from './capabilities/service/count-ended-parts.ts';
import { measureArchive } from './capabilities/service/measure-archive.ts';
import { measureDatabase } from './capabilities/service/measure-database.ts';
import { countLaggingReads, measureReplicas } from './capabilities/service/measure-replicas.ts';
import { measureWork } from './capabilities/service/measure-work.ts';
import { createReadiness } from './capabilities/service/readiness.ts';
import { measureWebhooks } from './capabilities/webhooks/delivery/measure-webhooks.ts';
import { distFolder } from './dashboard-build.ts';
import { createLaggingReads, defaultReplicaMaxLagMs } from './db/replicas/lagging-reads.ts';
import { replicaServer } from './db/replicas/replica-server.ts';
import { watchIndexes } from './db/schema/indexes/watch-indexes.ts';
import { watchHosts } from './db/watch-hosts.ts';
import { digestOfToken } from './http/callers.ts';
import { createCursorCodec, loadCursorSecret } from './http/cursor.ts';
import type { Endpoint } from './http/endpoint.ts';
import { createHttpServer } from './http/http-server.ts';
import { dropLingeringConnections } from './http/lingering-connections.ts';
import { mountEndpoints } from './http/mount.ts';
import { mountApiDocs } from './http/pages/api-docs.ts';
import { mountDashboardPages } from './http/pages/dashboard-pages.ts';
import { createProcessMetrics } from './http/process-metrics.ts';
import { errorShapes } from './http/reply/error-shapes.ts';
import { BodyMemory } from './http/request/body-memory.ts';
import { keyHeaderNames } from './http/request/key-header.ts';
import { measureSchedules } from './lib/measure-schedules.ts';
import type { Schedule } from './lib/schedule.ts';
import { callOwnApi } from './mcp/call-api.ts';
import { createReviewProcesses } from './reviewer/process/review-processes.ts';
import type { AnyUnit } from './work/unit-of-work.ts';

export interface App {
  readonly server: FastifyInstance;
  readonly endpoints: readonly Endpoint[];
  readonly schedules: readonly Schedule[];
  readonly units: readonly AnyUnit[];
  /** The number of incomplete indexes; a schedule builds them. */
  readonly missingIndexes: number;
  /** Finishes requests in flight and stores data that is still in memory. */
  close(): Promise<void>;
}

/** Creates the HTTP server with all endpoints mounted; it does not listen yet. Tests use it, too. */
export async function createApp(deps: AppDeps): Promise<App> {
  const cursors = createCursorCodec(await loadCursorSecret(deps.database.sql));
  const metrics = createProcessMetrics(deps.maxMetricReadMs);
  const limiter = createRateLimiter(deps.database.sql);
  const { registry } = metrics;
  const readiness = createReadiness(deps.database, deps.maxReadyMs);
  const indexes = await watchIndexes(deps);
  const hosts = watchHosts(deps);
  const reads = createLaggingReads({
    primary: deps.database,
    replicas: (deps.replicas ?? []).map(replicaServer),
    maxLagMs: deps.settings.replicaMaxLagMs ?? defaultReplicaMaxLagMs,
    log: deps.log,
    onServed: countLaggingReads(registry),
  });
  const embedder = withCache(
    watchEmbedder(deps.embedder, { log: deps.log, registry }),
    deps.embeddingCacheBytes,
  );
  const keyHeaders = keyHeaderNames(deps.settings.apiKeyHeaderAliases);
  const callApi = callOwnApi(() => server, keyHeaders);
  const stopping = new AbortController();
  const processes =
    deps.ruleSources === undefined
      ? createReviewProcesses({ ...deps.settings.reviewProcesses, onEnded: countEndedParts(registry) })
      : (await import('./reviewer/process/run-here.ts')).workHere(deps.ruleSources);
  const parts = {
    ...deps,
    embedder,
    limiter,
    registry,
    readiness,
    reads,
    isIndexReady: indexes.isReady,
    callApi,
    stopping: stopping.signal,
    processes,
  };
  const { endpoints, schedules, units } = assemble(parts, cursors, metrics.render);
  const countUnavailable = measureDatabase(registry, deps.database, hosts);
  measureWork(registry, deps);
  measureSecrets(registry, deps);
  measureReplicas(registry, reads);
  const { archive, dataDirectory: directory } = deps.settings;
  if (archive && directory) measureArchive(registry, deps.database, { ...archive, directory });
  measureConnections(registry, deps.database);
  measureDigests(registry, deps);
  measureWebhooks(registry, deps.database);
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
  // Without its hook, which would parse the cookies of every request: only the dashboard's endpoints read them.
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
      operatorToken: digestOfToken(deps.operatorToken),
      dashboard: deps.settings,
      maxLagMs: reads.maxLagMs,
      bodyMemory: new BodyMemory(),
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
    missingIndexes: indexes.missing,
    schedules: measureSchedules(registry, [
      ...schedules,
      ...reads.schedules,
      ...(hosts === undefined ? [] : [hosts.schedule]),
      indexes.schedule,
      limiter.sweep,
    ]),
    async close() {
      stopping.abort();
      const closing = clients.close();
      await server.close().finally(closing);
      await processes.stop();
      await keyUsage.stop();
    },
  };
}
