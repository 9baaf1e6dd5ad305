import { type Logger, pino } from 'pino';

export type { Logger };

// PostgreSQL's messages and details can quote row values, so only fields that cannot are logged.
type LoggedError = Error & Record<string, unknown>;

function describeError(error: LoggedError): Record<string, unknown> {
  const isFromDatabase = error.name === 'PostgresError';
  const stack = isFromDatabase ? error.stack?.split('\n').slice(1).join('\n') : error.stack;
  return {
    type: error.name,
    ...(isFromDatabase
      ? {
          code: error.code,
          severity: error.severity_local,
          table: error.table_name,
          constraint: error.constraint_name,
          routine: error.routine,
        }
      : { message: error.message, code: error.code, reason: error.reason }),
    stack,
    ...(error.cause instanceof Error && { cause: describeError(error.cause as LoggedError) }),
    ...(error instanceof AggregateError && {
      errors: error.errors
        .filter((each) => each instanceof Error)
        .map((each) => describeError(each as LoggedError)),
    }),
  };
}

/** The structured log of the process: one JSON object per line, never containing a key, a token or a Learning's text. */
export function createLog(level: string, destination?: { write(line: string): void }): Logger {
  const options = {
    level,
    base: null,
    serializers: { err: describeError },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
