import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../lib/app-error.ts';
import { newUuid } from '../lib/uuid.ts';
import type { Endpoint, Reply } from './endpoint.ts';
import { runPipeline } from './pipeline.ts';
import type { PipelineDeps } from './pipeline-request.ts';
import { asAppError, errorReply } from './reply/error-reply.ts';
import { addSecurityHeaders } from './reply/security-headers.ts';
import { callerAddress } from './request/caller-address.ts';
import { discardRest, RequestBody } from './request/request-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Which key called, for the log. */
    caller: { keyId: string; kind: string } | null;
  }
}

function routePattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function pathMatcher(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

function send(reply: FastifyReply, answer: Reply): FastifyReply {
  reply.code(answer.status ?? 200).headers(answer.headers ?? {});
  if (answer.content !== undefined) {
    const { type, bytes, onSent } = answer.content;
    if (onSent !== undefined) reply.raw.once('finish', onSent);
    return reply.type(type).send(bytes);
  }
  if (answer.json === undefined) return reply.send();
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer.json));
}

function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  style: Endpoint['errorBody'],
): FastifyReply {
  const coded = asAppError(error);
  if (coded.status === 500) request.log.error({ err: error }, 'request failed');
  if (coded.status === 503) request.log.warn({ err: error, answered: coded.code }, 'request refused');
  if (coded.code === 'REQUEST_TIMEOUT') reply.header('connection', 'close');
  else if (!request.raw.complete) discardRest(request.raw);
  return send(reply, errorReply(coded, style));
}

/** Tells a fault that Fastify found before any endpoint in the one shape errors have. */
function asRequestError(error: unknown): unknown {
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 413) return new AppError('PAYLOAD_TOO_LARGE', 'The body is too large');
  if (status === 415) return new AppError('UNSUPPORTED_MEDIA_TYPE', 'The content type is not accepted');
  return status >= 400 && status < 500 ? new AppError('INVALID_REQUEST', 'The request is malformed') : error;
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
    sendError(request, reply, error, endpoint.errorBody);
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
): void {
  app.decorateRequest('caller', null);
  for (const endpoint of endpoints) mountEndpoint(app, deps, endpoint);

  const matchers = endpoints.map(({ path, method }) => ({ method, pattern: pathMatcher(path) }));
  app.setNotFoundHandler((request, reply) => {
    const path = (request.raw.url ?? '').split('?', 1)[0]!;
    const answering = matchers.filter(({ pattern }) => pattern.test(path));
    const allowed = [...new Set(answering.map(({ method }) => method))];
    if (allowed.length === 0)
      return sendError(request, reply, new AppError('NOT_FOUND', 'There is nothing at this path'), 'error');
    reply.header('allow', allowed.join(', '));
    const style = endpoints.find(({ path: template }) => pathMatcher(template).test(path))?.errorBody;
    return sendError(
      request,
      reply,
      new AppError('METHOD_NOT_ALLOWED', `This path answers ${allowed.join(', ')}`),
      style,
    );
  });
  app.setErrorHandler((error, request, reply) => sendError(request, reply, asRequestError(error), 'error'));
}

/** Answers what the framework refuses before any route, such as an address that cannot be decoded. */
export function refuseInFramework(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  addSecurityHeaders(reply);
  sendError(request, reply, asRequestError(error), 'error');
}

/** Answers a connection whose bytes are not HTTP, in the same error shape. */
export function rejectMalformedHttp(error: NodeJS.ErrnoException, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const body = JSON.stringify({
    error: { code: 'INVALID_REQUEST', message: 'The request is not valid HTTP' },
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\nx-request-id: ${newUuid()}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
