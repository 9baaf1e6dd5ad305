import { type UnavailableReason, unavailableReason } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Endpoint, Reply } from '../endpoint.ts';

const retryLaterSeconds = 2;

/** The message and the Retry-After in seconds for each reason why the database is unavailable. */
const unavailable: Readonly<
  Record<UnavailableReason, readonly [message: string, retryAfterSeconds: number]>
> = {
  unreachable: ['The database is currently unreachable', retryLaterSeconds],
  busy: ['The database is currently busy', retryLaterSeconds],
  overloaded: ['The database is currently overloaded', 5],
  full: ['The database is out of disk space', 30],
  read_only: ['The database is currently read-only', 5],
};

/** Converts anything thrown to a coded error; an unknown one becomes INTERNAL_ERROR and reveals nothing about its cause. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const reason = unavailableReason(error);
  if (reason !== undefined) return new AppError('SERVICE_UNAVAILABLE', ...unavailable[reason]);
  return new AppError('INTERNAL_ERROR', 'The server failed to process this request');
}

/** The SCIM extension with the error code that all other endpoints return. */
export const scimErrorExtension = 'urn:postil:params:scim:api:messages:1.0:Error';

/** The `scimType` of an error; undefined if SCIM has none for it (RFC 7644, section 3.12). */
function scimType({ code, message }: AppError): string | undefined {
  if (code === 'CONFLICT') return 'uniqueness';
  if (code !== 'INVALID_REQUEST') return undefined;
  if (message.startsWith('filter:')) return 'invalidFilter';
  return message.startsWith('path:') ? 'invalidPath' : 'invalidValue';
}

function scimError(error: AppError, status: number) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error', scimErrorExtension],
    status: String(status),
    scimType: scimType(error),
    detail: error.message,
    [scimErrorExtension]: { code: error.code },
  };
}

/** The response for an error, in the endpoint's error shape. `status` differs from the code's own for faults of HTTP itself. */
export function errorReply(
  error: AppError,
  style: Endpoint['errorBody'] = 'error',
  status: number = error.status,
): Reply {
  const { code } = error;
  const headers: Record<string, string> = {};
  if (status === 429 || status === 503) {
    headers['retry-after'] = String(error.retryAfterSeconds ?? retryLaterSeconds);
  }
  switch (style) {
    case 'scim':
      return { status, headers, json: scimError(error, status), mediaType: 'application/scim+json' };
    case 'errors':
      return { status, headers, json: { errors: error.faults.map((message) => ({ code, message })) } };
    default:
      return { status, headers, json: { error: { code, message: error.message } } };
  }
}
