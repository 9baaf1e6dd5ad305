import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { reviewCommentList } from '../../src/capabilities/review-metrics/lists/list-definitions.ts';
import { mergeQuery } from '../../src/capabilities/review-metrics/lists/merged-statement.ts';
import { coverDays, dayOfDate } from '../../src/capabilities/review-metrics/order/day-spans.ts';
import type { ConnectionTarget, Database } from '../../src/db/database.ts';
import type { OrganizationId } from '../../src/lib/ids.ts';
import { medianMs } from './load.ts';

const run = promisify(execFile);

/** The window of a requested page. */
export interface Window {
  readonly start: string;
  readonly end: string;
}

/** The statement that the server runs for a first page of 1000. */
function pageQuery(organizationId: OrganizationId, { start, end }: Window) {
  const spans = coverDays(dayOfDate(start), dayOfDate(end));
  const question = { storageId: 0, organizationIds: [organizationId], spans, after: 0, limit: 1000 };
  const { statement, parameters } = mergeQuery(reviewCommentList, question)!;
  return { statement, parameters: [...parameters(64 * 1024)] };
}

/** The path of pgbench; undefined if it is not installed. */
export function findPgbench(): string | undefined {
  const folder = '/usr/lib/postgresql';
  const versions = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...versions.map((version) => path.join(folder, version, 'bin')),
    '/usr/bin',
    '/usr/local/bin',
  ];
  return places.map((place) => path.join(place, 'pgbench')).find((file) => existsSync(file));
}

/**
 * The duration of the page's statement alone on one connection, in milliseconds: measured by pgbench or, if that is not
 * installed, by the bare client.
 */
export async function measureStatement(
  database: Database,
  target: Extract<ConnectionTarget, { socketDirectory: string }>,
  organizationId: OrganizationId,
  window: Window,
  seconds: number,
  directory: string,
): Promise<number> {
  const { statement, parameters } = pageQuery(organizationId, window);
  const pgbench = findPgbench();
  if (pgbench === undefined) {
    return medianMs(seconds, () => database.readRows(statement, parameters, () => {}));
  }
  const script = path.join(directory, 'page.sql');
  const literal = (value: string | number) => (typeof value === 'number' ? String(value) : `'${value}'`);
  const text = statement.replaceAll(/\$(\d+)/g, (_, index: string) =>
    literal(parameters[Number(index) - 1]!),
  );
  await writeFile(script, `${text.replaceAll(/\s+/g, ' ')};\n`);
  const { stdout } = await run(
    pgbench,
    ['-n', '-c', '1', '-M', 'prepared', '-T', String(Math.ceil(seconds)), '-f', script, target.database],
    {
      env: {
        ...process.env,
        PGHOST: target.socketDirectory,
        PGPORT: String(target.port),
        PGUSER: target.user,
      },
    },
  );
  return Number(/latency average = ([\d.]+) ms/.exec(stdout)![1]);
}
