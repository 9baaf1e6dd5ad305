import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { AnalyzerLog } from './analyzer-result.ts';

/** Where a log of one analyzer lies, as it was read, and what it is called. */
export interface KeptLog {
  readonly file: string;
  readonly tool: string;
  /** The same for logs that say the same. */
  readonly digest: string;
  readonly bytes: number;
}

const maxReadBytes = 256 * 1024 * 1024;

/** Writes logs into a folder, compressed: whoever passes them on need not look into them. */
export async function keepLogs(folder: string, logs: readonly AnalyzerLog[]): Promise<KeptLog[]> {
  const kept: KeptLog[] = [];
  for (const [index, log] of logs.entries()) {
    const text = JSON.stringify(log);
    const packed = await promisify(gzip)(text);
    const file = path.join(folder, `log-${index}.json.gz`);
    await writeFile(file, packed, { mode: 0o600 });
    const digest = createHash('sha256').update(text).digest('hex');
    kept.push({ file, tool: log.tool, digest, bytes: packed.length });
  }
  return kept;
}

export async function readKeptLog(file: string): Promise<AnalyzerLog> {
  const text = await promisify(gunzip)(await readFile(file), { maxOutputLength: maxReadBytes });
  return JSON.parse(text.toString('utf8')) as AnalyzerLog;
}
