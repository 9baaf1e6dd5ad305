import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Db } from '../../../db/database.ts';
import type { ReviewRequest } from '../../../reviewer/review/review-request.ts';
import { countLogs, findLogs, keptHours, type VersionKey } from './results-store.ts';

/** More than the jobs of one push send. */
const maxLogs = 50;

/**
 * Writes what analyzers reported about a version to a folder that review processes can read, for as long as `work` runs. If
 * an analyzer sent more logs for the previously reviewed version, as many are expected for this one.
 */
export async function withKeptResults<Result>(
  db: Db,
  version: VersionKey,
  formerHead: string | null,
  now: Date,
  work: (results: ReviewRequest['results']) => Promise<Result>,
): Promise<Result> {
  const since = new Date(now.getTime() - keptHours * 3_600_000);
  const logs = await findLogs(db, version, since, maxLogs);
  if (logs.length === 0) return work(undefined);
  // Includes logs beyond the limit: a finding in a log that is not read must not count as no longer reported.
  const expected = await countLogs(db, version);
  if (formerHead !== null && formerHead !== version.head)
    for (const [tool, count] of await countLogs(db, { ...version, head: formerHead }))
      expected.set(tool, Math.max(count, expected.get(tool) ?? 0));
  const countOf = (tool: string) => logs.filter((log) => log.tool === tool).length;
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-results-'));
  try {
    const files: string[] = [];
    for (const { digest, results } of logs) {
      const file = path.join(folder, digest);
      await writeFile(file, results, { mode: 0o600 });
      files.push(file);
    }
    const waitingFor = [...expected].filter(([tool, count]) => countOf(tool) < count).map(([tool]) => tool);
    return await work({ logs: files, waitingFor });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
