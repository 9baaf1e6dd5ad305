import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { AppError } from '../lib/app-error.ts';
import { takeInHand } from '../lib/concurrency/in-hand.ts';
import type { Logger } from '../lib/log.ts';
import { newUuid } from '../lib/uuid.ts';
import { type ClientConnections, createClientConnections } from './client-connections.ts';
import { errorReply } from './reply/error-reply.ts';
import type { ErrorShape } from './reply/error-shapes.ts';
import { addSecurityHeaders, securityHeaders } from './reply/security-headers.ts';
import { asRequestError, send, sendError } from './reply/send-answer.ts';
import { proxyTrust, type TrustedProxies } from './request/caller-address.ts';
import { faultOfHead, maxParsedHeadBytes, originForm } from './request/request-head.ts';

// An import of the module would load Node's whole implementation of fetch, which nothing here uses.
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');

// Timeout for a silent connection; there is no limit on the duration of an upload.
const silentConnectionMs = 5 * 60_000;
const keepAliveMs = 72_000;
// Set explicitly, since Node derives it from `requestTimeout`, which is off because a body may be streamed for as long as it
// needs.
const headTimeoutMs = 60_000;

export interface HttpServerOptions {
  readonly log: Logger;
  readonly trustProxy: TrustedProxies;
  /** Returns the shape of errors for a URL. */
  readonly errorShapeOf: (url: string) => ErrorShape;
}

/** Headers for every response; cacheable responses override them. */
function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).header('cache-control', 'no-store');
  addSecurityHeaders(reply);
}

const statusOfHttpError: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The URL of the malformed request in these bytes; empty if its first line is not complete. */
function urlIn(bytes: Buffer | undefined, end: number): string {
  const lines = bytes?.toString('latin1', 0, end).matchAll(/(?:^|\n)[A-Z]+ (\S+) HTTP\/1\.[01]\r?\n/g) ?? [];
  return [...lines].at(-1)?.[1] ?? '';
}

type HttpError = Error & {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

/** The response to bytes that are not HTTP, in the same shape as other errors. */
function responseToMalformedHttp(error: HttpError, { log, errorShapeOf }: HttpServerOptions): string {
  const status = statusOfHttpError[error.code ?? ''] ?? 400;
  const coded =
    status === 408
      ? new AppError('REQUEST_TIMEOUT', 'The request did not arrive in time')
      : new AppError('INVALID_REQUEST', 'The request is not valid HTTP');
  const shape = errorShapeOf(originForm(urlIn(error.rawPacket, error.bytesParsed ?? 0)));
  const { json, mediaType = 'application/json' } = errorReply(coded, shape, status);
  const body = JSON.stringify(json);
  const requestId = newUuid();
  log.info({ reqId: requestId, status, reason: error.code }, 'request rejected');
  const headers = {
    ...securityHeaders,
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'content-type': `${mediaType}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

function noSchemas(): never {
  throw new Error('Routes have no schemas of their own');
}

function createNodeServer(listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: maxParsedHeadBytes,
      // Checked with the rest of the head, where the error can state the reason.
      requireHostHeader: false,
      keepAliveTimeout: keepAliveMs,
      requestTimeout: 0,
      headersTimeout: headTimeoutMs,
    },
    listener,
  );
  server.on('checkExpectation', listener);
  return server.setTimeout(silentConnectionMs);
}

/** Creates the HTTP server: how it receives requests, and the headers of every response. */
export function createHttpServer(options: HttpServerOptions): {
  readonly server: FastifyInstance;
  readonly clients: ClientConnections;
} {
  const clients = createClientConnections();
  const { errorShapeOf } = options;
  const rejectMalformed = (error: HttpError, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else clients.fail(socket, () => responseToMalformedHttp(error, options));
  };
  const server = fastify({
    loggerInstance: options.log as never,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: proxyTrust(options.trustProxy),
    genReqId: newUuid,
    rewriteUrl: ({ url = '/' }) => originForm(url),
    // Endpoints declare and check their shapes themselves. Without this, Fastify loads schema compilers that no route needs.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // No path is longer than the head that contains it.
    routerOptions: { maxParamLength: maxParsedHeadBytes },
    // Requests on open connections are still answered while the server stops; then the connection is closed.
    return503OnClosing: false,
    serverFactory: (handler) => createNodeServer(clients.inTurn(handler)),
    clientErrorHandler: rejectMalformed as never,
    frameworkErrors: ((error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      addCommonHeaders(request, reply);
      sendError(request, reply, asRequestError(error), errorShapeOf(request.raw.url ?? ''));
    }) as never,
  }) as unknown as FastifyInstance;
  clients.watch(server.server);
  server.server.on('connect', (_request, socket) =>
    rejectMalformed(new Error('CONNECT is for proxies'), socket as Socket),
  );
  // The pipeline reads bodies itself.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.addHook('onRequest', (request, reply, done) => {
    const name = `${request.method} ${request.routeOptions.url ?? ''}`;
    reply.raw.once('close', takeInHand({ kind: 'request', name, key: request.id }, done));
  });
  server.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply);
    const fault = faultOfHead(request.raw);
    if (fault === undefined) return done();
    const error = new AppError('INVALID_REQUEST', fault.message);
    send(reply, errorReply(error, errorShapeOf(request.raw.url ?? ''), fault.status));
  });
  // Logs the path pattern, not the URL: a query can contain text that must not be logged.
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        key: request.caller?.keyId,
        kind: request.caller?.kind,
      },
      'request',
    );
    done();
  });
  return { server, clients };
}
