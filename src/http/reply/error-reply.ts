import { type UnavailableReason, unavailableReason } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Endpoint, Reply } from '../endpoint.ts';

const retryLaterSeconds = 2;

/** The message while the database is unavailable, and after how many seconds to retry. */
const unavailable: Readonly<
  Record<UnavailableReason, readonly [message: string, retryAfterSeconds: number]>
> = {
  unreachable: ['The database is currently unreachable', retryLaterSeconds],
  busy: ['The database is currently busy', retryLaterSeconds],
  overloaded: ['The database is currently overloaded', 5],
  full: ['The database is out of disk space', 30],
  read_only: ['The database is currently read-only', 30],
};

/** Converts anything thrown to a coded error; an unknown one becomes INTERNAL_ERROR and reveals nothing about its cause. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const reason = unavailableReason(error);
  if (reason !== undefined) return new AppError('SERVICE_UNAVAILABLE', ...unavailable[reason]);
  return new AppError('INTERNAL_ERROR', 'The server failed to process this request');
}

/** The response for an error, in the endpoint's error shape. */
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
