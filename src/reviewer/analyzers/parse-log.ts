import { AppError } from '../../lib/app-error.ts';
import { SarifError } from '../../lib/sarif/read/sarif-error.ts';
import { checkJsonSize, parseJson } from '../../lib/wire/parse-json.ts';
import type { AnalyzerLog } from './analyzer-result.ts';
import { readAnalyzerLogs } from './read-analyzer-logs.ts';

/** More than the logs of any analyzer have. */
const limits = { maxDepth: 200, maxEntries: 3_000_000 };

/** What is wrong with a file that should be a log, in a sentence. */
export class LogFault extends Error {
  override readonly name = 'LogFault';
}

/** Parses JSON of others, which may be as large and as nested as they like; throws a LogFault if it is neither small enough nor JSON. */
export function parseForeignJson(bytes: Buffer): unknown {
  try {
    checkJsonSize(bytes, limits);
    return parseJson(bytes);
  } catch (error) {
    if (error instanceof AppError) throw new LogFault(error.message);
    throw error;
  }
}

/** What analyzers say in a SARIF log; throws a LogFault that names the place, below `name`, if it is none. */
export function logsOf(log: unknown, name: string): AnalyzerLog[] {
  try {
    return readAnalyzerLogs(log);
  } catch (error) {
    if (!(error instanceof SarifError)) throw error;
    throw new LogFault(`${[name, error.path].filter((part) => part !== '').join('.')}: ${error.reason}`);
  }
}
