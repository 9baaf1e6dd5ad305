import { AppError } from '../../lib/app-error.ts';
import { SarifError } from '../../lib/sarif/read/sarif-error.ts';
import { checkJsonSize, parseJson } from '../../lib/wire/parse-json.ts';
import type { AnalyzerLog } from './analyzer-result.ts';
import { readAnalyzerLogs } from './read-analyzer-logs.ts';

/** Above what logs of real analyzers contain. */
const limits = { maxDepth: 200, maxEntries: 3_000_000 };

/** The reason why a file is not a valid log, as a sentence. */
export class LogFault extends Error {
  override readonly name = 'LogFault';
}

/**
 * Parses untrusted JSON; throws a `LogFault` if it is invalid, or exceeds the limits of depth and size. `what` is the subject of
 * its sentence: the body of a request, if it is not given.
 */
export function parseForeignJson(bytes: Buffer, what?: string): unknown {
  try {
    checkJsonSize(bytes, limits, what);
    return parseJson(bytes, what);
  } catch (error) {
    if (error instanceof AppError) throw new LogFault(error.message);
    throw error;
  }
}

/** Reads a parsed SARIF log. If it is invalid, throws a `LogFault` that names the field, with `name` as its prefix. */
export function logsOf(log: unknown, name: string): AnalyzerLog[] {
  try {
    return readAnalyzerLogs(log);
  } catch (error) {
    if (!(error instanceof SarifError)) throw error;
    throw new LogFault(`${[name, error.path].filter((part) => part !== '').join('.')}: ${error.reason}`);
  }
}
