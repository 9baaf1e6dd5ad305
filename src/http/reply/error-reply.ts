import { type UnavailableReason, unavailableReason } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Endpoint, Reply } from '../endpoint.ts';

const retryLaterSeconds = 2;

/** What a caller is told while the database cannot do its work, and after how many seconds it is worth asking again. */
const unavailable: Readonly<
  Record<UnavailableReason, readonly [message: string, retryAfterSeconds: number]>
> = {
  unreachable: ['The database cannot be reached at the moment', retryLaterSeconds],
  busy: ['The database is busy at the moment', retryLaterSeconds],
  overloaded: ['The database has no resources left at the moment', 5],
  full: ['The database has no space left', 30],
  read_only: ['The database accepts no changes at the moment', 30],
};

/** Makes a coded error of anything thrown; what is not known becomes INTERNAL_ERROR and says nothing of its cause. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const reason = unavailableReason(error);
  if (reason !== undefined) return new AppError('SERVICE_UNAVAILABLE', ...unavailable[reason]);
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
