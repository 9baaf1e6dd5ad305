/** Every error code a response may carry, with its HTTP status. */
export const errorStatus = {
  INVALID_REQUEST: 400,
  BATCH_SIZE_EXCEEDED: 400,
  ORG_ID_REQUIRED: 400,
  CONNECTION_REFUSED: 400,
  UNAUTHORIZED: 401,
  INVALID_SIGNATURE: 401,
  NO_ACTIVE_SUBSCRIPTION: 402,
  ENTERPRISE_REQUIRED: 403,
  KEY_TYPE_FORBIDDEN: 403,
  PERMISSION_DENIED: 403,
  NOT_ADMIN: 403,
  WORKSPACE_ADMIN_REQUIRED: 403,
  SELF_HOSTED_ONLY: 403,
  ORGANIZATION_FORBIDDEN: 403,
  METRICS_UNAVAILABLE: 403,
  SYSTEM_ROLE: 403,
  EXTERNAL_TEAM: 403,
  FORBIDDEN: 403,
  SEAT_REQUIRED: 403,
  ORGANIZATION_NOT_FOUND: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  ROLE_IN_USE: 409,
  LEGACY_API_KEY: 410,
  RESPONSE_TOO_LARGE: 413,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  METRICS_PREPARING: 503,
  INDEX_REFRESH_FAILED: 503,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The only error that verbs throw: a code of the API contract, and messages that are safe to show to the caller. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** One sentence per fault; most errors have one, an invalid body may have several. */
  readonly faults: readonly string[];
  /** Sent as `Retry-After` if the request may be retried later. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string | readonly string[], retryAfterSeconds?: number) {
    const faults = typeof message === 'string' ? [message] : message;
    super(faults.join('; '));
    this.name = 'AppError';
    this.code = code;
    this.faults = faults;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}
