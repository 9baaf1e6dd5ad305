import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram } from 'prom-client';
import { MetricsRegistry } from '../lib/metrics.ts';

export interface ProcessMetrics {
  /** The parts of the server register their metrics here. */
  readonly registry: MetricsRegistry;
  render(): Promise<string>;
  /** Records every response of the server by route and status. */
  observe(server: FastifyInstance): void;
}

/** Creates the Prometheus metrics of one server, separate from other servers in the same process. */
export function createProcessMetrics(maxReadMs?: number): ProcessMetrics {
  const registry = new MetricsRegistry(maxReadMs);
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'postil_http_request_duration_seconds',
    help: 'Response time, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  return {
    registry,
    render: () => registry.metrics(),
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
