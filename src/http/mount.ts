import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../lib/app-error.ts';
import type { Endpoint } from './endpoint.ts';
import { contestedTemplates, templateFinder } from './path-templates.ts';
import { runPipeline } from './pipeline.ts';
import type { PipelineDeps } from './pipeline-request.ts';
import type { ErrorShape } from './reply/error-shapes.ts';
import { asRequestError, send, sendError } from './reply/send-answer.ts';
import { callerAddress } from './request/caller-address.ts';
import { RequestBody } from './request/request-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that made the request, for the log; null if there is none. */
    caller: { keyId: string; kind: string } | null;
  }
}

type Answerer = (request: FastifyRequest, reply: FastifyReply) => void;

function routePattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

async function respond(
  deps: PipelineDeps,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  try {
    const result = await runPipeline(deps, endpoint, {
      raw: request.raw,
      body: new RequestBody(request.raw, deps.bodyTimeoutMs),
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

/** Decoded like the router does, so that both match the same paths. */
const pathOf = ({ raw }: FastifyRequest) => decodeURI((raw.url ?? '').split('?', 1)[0]!);

function mountEndpoint(app: FastifyInstance, endpoint: Endpoint, answer: Answerer): void {
  app.route({
    method: endpoint.method,
    url: routePattern(endpoint.path),
    // The pipeline responds before Fastify reads the body, because the key is checked first. Fastify's `done` is never
    // called: if the client disconnected during the response, Fastify would go on to run the handler.
    onRequest: (request, reply, _done) => answer(request, reply),
    handler: () => {
      throw new Error('The pipeline has already responded');
    },
  });
}

/** Mounts every endpoint on the server, and handles unknown paths and methods in one way. */
export function mountEndpoints(
  app: FastifyInstance,
  deps: PipelineDeps,
  endpoints: readonly Endpoint[],
  errorShapeOf: (url: string) => ErrorShape,
): void {
  app.decorateRequest('caller', null);
  const templates = [...new Set(endpoints.map(({ path }) => path))];
  const templatesAt = templateFinder(templates);
  const contested = contestedTemplates(templates);
  const refuse: Answerer = (request, reply) => {
    const path = pathOf(request);
    const meant = templatesAt(path);
    const allowed = [
      ...new Set(endpoints.filter((one) => meant.includes(one.path)).map(({ method }) => method)),
    ];
    if (allowed.length === 0)
      return sendError(request, reply, new AppError('NOT_FOUND', 'No such endpoint'), 'error');
    reply.header('allow', allowed.join(', '));
    const error = new AppError('METHOD_NOT_ALLOWED', `This endpoint supports only ${allowed.join(', ')}`);
    return sendError(request, reply, error, errorShapeOf(path));
  };
  app.setNotFoundHandler(refuse);
  for (const endpoint of endpoints)
    mountEndpoint(app, endpoint, (request, reply) => {
      // The router only considers paths of one method, so it may take another path's fixed word for an id.
      const isMeant = !contested.has(endpoint.path) || templatesAt(pathOf(request)).includes(endpoint.path);
      if (isMeant) void respond(deps, endpoint, request, reply);
      else refuse(request, reply);
    });
  app.setErrorHandler((error, request, reply) =>
    sendError(request, reply, asRequestError(error), errorShapeOf(request.raw.url ?? '')),
  );
}
