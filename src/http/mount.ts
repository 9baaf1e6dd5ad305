import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../lib/app-error.ts';
import type { Endpoint } from './endpoint.ts';
import { runPipeline } from './pipeline.ts';
import type { PipelineDeps } from './pipeline-request.ts';
import { type ErrorShape, pathMatcher } from './reply/error-shapes.ts';
import { asRequestError, send, sendError } from './reply/send-answer.ts';
import { callerAddress } from './request/caller-address.ts';
import { RequestBody } from './request/request-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Which key called, for the log. */
    caller: { keyId: string; kind: string } | null;
  }
}

function routePattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

async function answer(
  deps: PipelineDeps,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  try {
    const result = await runPipeline(deps, endpoint, {
      raw: request.raw,
      body: new RequestBody(request.raw, deps.bodyPatienceMs),
      url: request.raw.url ?? '',
      headers: request.headers,
      params: request.params,
      requestId: request.id,
      ipAddress: callerAddress(request),
      setHeader: (name, value) => void reply.header(name, value),
      identify: ({ keyId, kind }) => {
        request.caller = { keyId, kind };
      },
    });
    send(reply, result);
  } catch (error) {
    deps.onFailure?.(error);
    sendError(request, reply, error, endpoint.errorBody ?? 'error');
  }
}

function mountEndpoint(app: FastifyInstance, deps: PipelineDeps, endpoint: Endpoint): void {
  app.route({
    method: endpoint.method,
    url: routePattern(endpoint.path),
    // The pipeline answers before Fastify looks at the body, because the key is checked first, then the body. Fastify is
    // never told to go on: it would, after a client that goes away in the middle of its answer.
    onRequest: (request, reply, _goOn) => void answer(deps, endpoint, request, reply),
    handler: () => {
      throw new Error('The pipeline has answered already');
    },
  });
}

/** Mounts every endpoint on the server, with one answer for unknown paths and for methods a path does not have. */
export function mountEndpoints(
  app: FastifyInstance,
  deps: PipelineDeps,
  endpoints: readonly Endpoint[],
  errorShapeOf: (url: string) => ErrorShape,
): void {
  app.decorateRequest('caller', null);
  for (const endpoint of endpoints) mountEndpoint(app, deps, endpoint);

  const matchers = endpoints.map(({ path, method }) => ({ method, pattern: pathMatcher(path) }));
  app.setNotFoundHandler((request, reply) => {
    // Decoded as the router decodes it, so that both mean the same paths.
    const path = decodeURI((request.raw.url ?? '').split('?', 1)[0]!);
    const answering = matchers.filter(({ pattern }) => pattern.test(path));
    const allowed = [...new Set(answering.map(({ method }) => method))];
    if (allowed.length === 0)
      return sendError(request, reply, new AppError('NOT_FOUND', 'There is nothing at this path'), 'error');
    reply.header('allow', allowed.join(', '));
    const error = new AppError('METHOD_NOT_ALLOWED', `This path answers ${allowed.join(', ')}`);
    return sendError(request, reply, error, errorShapeOf(path));
  });
  app.setErrorHandler((error, request, reply) =>
    sendError(request, reply, asRequestError(error), errorShapeOf(request.raw.url ?? '')),
  );
}
