import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { MetricsRegistry } from '../lib/metrics.ts';

export interface ProcessMetrics {
  /** The parts of the server register their metrics here. */
  readonly registry: MetricsRegistry;
  render(): Promise<string>;
  /** Records every response of the server by route and status. */
  observe(server: FastifyInstance): void;
}

/** Memory, processor time, garbage collection: values of the process, whose observers nothing can stop, so all its servers share them. */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** Creates the Prometheus metrics of one server; except those of the process, they are separate from other servers in it. */
export function createProcessMetrics(maxReadMs?: number): ProcessMetrics {
  const shared = processRegistry();
  const registry = new MetricsRegistry(maxReadMs);
  const durations = new Histogram({
    name: 'postil_http_request_duration_seconds',
    help: 'Response time, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  return {
    registry,
    render: async () => (await Promise.all([shared.metrics(), registry.metrics()])).join('\n'),
    observe(server) {
      server.addHook('onResponse', (request, reply, done) => {
        const route = request.routeOptions.url ?? 'unknown';
        durations.observe(
          { method: request.method, route, status: reply.statusCode },
          reply.elapsedTime / 1000,
        );
        done();
      });
    },
  };
}
