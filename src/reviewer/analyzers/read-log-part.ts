import { readFile } from 'node:fs/promises';
import { type KeptLog, keepLogs } from './kept-logs.ts';
import { LogFault, logsOf, parseForeignJson } from './parse-log.ts';

export interface ReadLogRequest {
  /** A file with a SARIF log. */
  readonly file: string;
  /** The folder to write the parsed logs to. */
  readonly folder: string;
}

/** Parses an untrusted SARIF log. */
export async function work({
  file,
  folder,
}: ReadLogRequest): Promise<{ readonly logs: KeptLog[] } | { readonly fault: string }> {
  try {
    return { logs: await keepLogs(folder, logsOf(parseForeignJson(await readFile(file), 'it'), '')) };
  } catch (error) {
    if (error instanceof LogFault) return { fault: error.message };
    throw error;
  }
}
