import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { AnalyzerLog } from './analyzer-result.ts';

/** The file with a parsed log of one analyzer. */
export interface KeptLog {
  readonly file: string;
  readonly tool: string;
  /** A hash of the content: equal for equal logs. */
  readonly digest: string;
  readonly bytes: number;
}

const maxReadBytes = 256 * 1024 * 1024;

/** Writes parsed logs to a folder, compressed: code that only passes them on need not read them. */
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
