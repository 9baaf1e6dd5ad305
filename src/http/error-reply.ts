import { isUnavailable } from '../db/database.ts';
import { AppError } from '../lib/app-error.ts';
import type { Endpoint, Reply } from './endpoint.ts';

const retryLaterSeconds = 2;

/** Makes a coded error of anything thrown; what is not known becomes INTERNAL_ERROR and says nothing of its cause. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isUnavailable(error)) {
    return new AppError(
      'SERVICE_UNAVAILABLE',
      'The database cannot be reached at the moment',
      retryLaterSeconds,
    );
  }
  return new AppError('INTERNAL_ERROR', 'The server failed to answer this request');
}

/** The body and headers that tell an error to the caller, in the shape of the endpoint. */
export function errorReply(error: AppError, style: Endpoint['errorBody'] = 'error'): Reply {
  const { code } = error;
  const headers: Record<string, string> = {};
  if (error.status === 429 || error.status === 503) {
    headers['retry-after'] = String(error.retryAfterSeconds ?? retryLaterSeconds);
  }
  const json =
    style === 'errors'
      ? { errors: error.faults.map((message) => ({ code, message })) }
      : { error: { code, message: error.message } };
  return { status: error.status, headers, json };
}
