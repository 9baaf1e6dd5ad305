import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../lib/app-error.ts';
import type { Reply } from '../endpoint.ts';
import { asAppError, errorReply } from './error-reply.ts';
import type { ErrorShape } from './error-shapes.ts';
import { negotiate, type PreparedContent } from './prepared-content.ts';

/** Sends prepared content; caches may store it but must revalidate it before use. */
export function sendPrepared(
  reply: FastifyReply,
  content: PreparedContent,
  cacheControl = 'no-cache',
): FastifyReply {
  const { status, body, encoding } = negotiate(content, reply.request.headers);
  reply.code(status).headers({
    'cache-control': cacheControl,
    etag: content.etag,
    vary: 'accept-encoding',
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  });
  return body === undefined ? reply.send() : reply.type(content.type).send(body);
}

/** Sends a response. */
export function send(reply: FastifyReply, answer: Reply): FastifyReply {
  if (answer.prepared !== undefined) return sendPrepared(reply, answer.prepared);
  reply.code(answer.status ?? 200).headers(answer.headers ?? {});
  if (answer.content !== undefined) {
    const { type, bytes, onSent } = answer.content;
    if (onSent !== undefined) reply.raw.once('finish', onSent);
    return reply.type(type).send(bytes);
  }
  if (answer.json === undefined) return reply.send();
  return reply
    .type(`${answer.mediaType ?? 'application/json'}; charset=utf-8`)
    .send(JSON.stringify(answer.json));
}

/** Converts an error to a coded one and sends it; unexpected errors are logged. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  shape: ErrorShape,
): FastifyReply {
  const coded = asAppError(error);
  if (coded.status === 500) request.log.error({ err: error }, 'request failed');
  if (coded.status === 503) request.log.warn({ err: error, answered: coded.code }, 'request rejected');
  if (coded.code === 'REQUEST_TIMEOUT') reply.header('connection', 'close');
  return send(reply, errorReply(coded, shape));
}

/** Converts an error of Fastify about a request to a code of the API. */
export function asRequestError(error: unknown): unknown {
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? new AppError('INVALID_REQUEST', 'The request is malformed') : error;
}
