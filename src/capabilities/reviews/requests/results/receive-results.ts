import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Tx } from '../../../../db/database.ts';
import { AppError } from '../../../../lib/app-error.ts';
import { newUuid } from '../../../../lib/uuid.ts';
import { partAt } from '../../../../reviewer/process/part.ts';
import {
  countKeptBytes,
  type FoundRun,
  findOpenPulls,
  findOpenRuns,
  findReviewingRun,
  findTakingRun,
  lockVersion,
  nameRun,
  type StoredLog,
  storeLogs,
  type VersionKey,
} from '../../results/results-store.ts';
import { findReviewable } from '../../reviewed-pull-requests/find-reviewable.ts';
import { lockPullRequest } from '../../reviewed-pull-requests/pull-request-store.ts';
import { queueRun } from '../../reviewed-pull-requests/queue-run.ts';
import { reasonToSkip } from '../../reviewed-pull-requests/reason-to-skip.ts';
import type { RunDeps } from '../create-review.ts';
import type { SentResults } from './read-results-part.ts';
import { readSent } from './read-sent.ts';
import { locateRepository, type Reporter } from './reporter.ts';

/** A quota per organization for results that wait, so that none of them fills the disk for all. */
const maxKeptBytes = 512 * 1024 * 1024;

const readPart = partAt<typeof import('./read-results-part.ts')>('read-results-part', import.meta.url);

/**
 * Stores what analyzers reported about a version of a repository for the run that will review it, and returns that run. If
 * the head was reviewed already, it is reviewed again under the rules of automatic reviews; if not, the results wait for its
 * review and do not cause one; if it is no longer the head of a pull request, nothing happens.
 */
export async function receiveResults(
  deps: RunDeps,
  reporter: Reporter,
  body: Buffer,
  now: Date,
): Promise<FoundRun> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-results-'));
  try {
    const sent = await readSent<SentResults>(deps, readPart, 'sarif', reporter, body, folder);
    const place = await locateRepository(deps, reporter, sent);
    const number = 'pullRequest' in sent.subject ? sent.subject.pullRequest : null;
    const head =
      'head' in sent.subject
        ? sent.subject.head
        : (await findReviewable(deps, { ...place, number: number! })).head;
    const logs = await Promise.all(
      sent.logs.map(async ({ file, tool, digest }) => ({ tool, digest, results: await readFile(file) })),
    );
    const run = await deps.database.transaction(async (tx) => {
      const taking = await keep(tx, deps, { ...place, head }, logs, reporter, now);
      await reporter.confirm(tx, place.organizationId);
      return taking;
    });
    deps.queue.wake(deps.unit.name);
    return run;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Stores logs of a version. Starts a new run if the head was already reviewed, or a run of it is too far to include the
 * logs; but not if an automatic review would be skipped: then the logs wait for a run that somebody asks for, and the run under
 * way, which says why it skips the review, is returned.
 */
async function keep(
  tx: Tx,
  deps: RunDeps,
  version: VersionKey,
  logs: readonly StoredLog[],
  { actor, apiKeyId }: Reporter,
  now: Date,
): Promise<FoundRun> {
  await lockVersion(tx, version);
  const pulls = await findOpenPulls(tx, version);
  const past = await findReviewingRun(tx, version);
  if (pulls.length === 0 && past !== undefined) return past;
  const bytes = logs.reduce((sum, { results }) => sum + results.length, 0);
  if ((await countKeptBytes(tx, version.organizationId)) + bytes > maxKeptBytes)
    throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many results of this organization are waiting', 60);
  const known = await findTakingRun(tx, version);
  const waiting = known ?? { id: newUuid(), status: 'queued' as const };
  const stored = await storeLogs(tx, version, logs, waiting.id, now);
  if (stored === 0) return known ?? past ?? waiting;
  const runs: FoundRun[] = [];
  // Searched again, because storing takes time: a pull request may have been opened, and even its run queued, in the meantime.
  for (const number of await findOpenPulls(tx, version)) {
    const pullKey = { ...version, number };
    const pull = await lockPullRequest(tx, pullKey);
    if (pull === undefined || pull.state !== 'open' || pull.head !== version.head) continue;
    const open = await findOpenRuns(tx, version, number);
    const next = open.find(({ isUnderWay }) => !isUnderWay);
    const underWay = open.findLast(({ head }) => head === version.head);
    const { facts, isPaused, lastReview } = pull;
    if (next !== undefined) runs.push({ id: next.id, status: next.status });
    else if (underWay === undefined && lastReview?.head !== version.head) continue;
    else if ((await reasonToSkip(tx, pullKey, { isPaused, author: facts.author })) === null) {
      const cause = { trigger: 'api', isForResults: true } as const;
      const request = { ...cause, mode: 'incremental', pull, actor, apiKeyId } as const;
      runs.push({ id: await queueRun(tx, deps, pullKey, request, now), status: 'queued' });
    } else if (underWay !== undefined) runs.push({ id: underWay.id, status: underWay.status });
  }
  const taking = runs[0] ?? waiting;
  await nameRun(tx, version, taking.id);
  return taking;
}
