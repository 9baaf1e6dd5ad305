import { setTimeout as sleep } from 'node:timers/promises';
import type { CallerContext } from '../../../../access/caller-context.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import type { Database } from '../../../../db/database.ts';
import { AppError } from '../../../../lib/app-error.ts';
import { findProgress, hasEnded, type RunProgress } from './run-progress.ts';
import { type Watcher, WatchPlaces } from './watch-places.ts';

export interface WatchDeps {
  readonly database: Database;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** The interval between polls. */
  readonly lookMs?: number;
}

const defaultLookMs = 1_000;
/** The number of polls without a change after which a heartbeat is sent and the caller's rights are checked again. */
const pollsPerHeartbeat = 5;

/** What is sent: the state of a run, a heartbeat, or the end of all of them. */
export type WatchEvent = RunProgress | 'heartbeat' | 'end';

type WatchContext = Pick<CallerContext, 'principal' | 'scope' | 'confirmRights'>;

function watcherOf({ principal, scope }: WatchContext): Watcher {
  return {
    personId: principal.owner?.personId ?? principal.keyId,
    organizationId: onlyOrganization(scope).organization.id,
  };
}

/**
 * Streams the state of an organization's runs, at once and whenever it changes, until all of them have ended. The stream
 * also ends when the server stops or a watcher with fewer streams needs the place, and within seconds when the caller loses
 * the right to see them.
 */
export function runWatcher({ database, stopping, lookMs = defaultLookMs }: WatchDeps) {
  const places = new WatchPlaces();

  async function* follow(
    context: WatchContext,
    runIds: readonly string[],
    first: readonly RunProgress[],
    ending: AbortSignal,
  ): AsyncGenerator<WatchEvent> {
    const { id: organizationId } = onlyOrganization(context.scope).organization;
    const told = new Map<string, string>();
    const textOf = ({ status, stage }: RunProgress) => `${status} ${stage}`;
    let progress = first;
    for (let quietPolls = 0; !ending.aborted; quietPolls += 1) {
      const changed = progress.filter((run) => told.get(run.id) !== textOf(run));
      if (told.size > 0 && (changed.length > 0 || quietPolls >= pollsPerHeartbeat)) {
        await context.confirmRights([organizationId]);
        quietPolls = 0;
        if (changed.length === 0) yield 'heartbeat';
      }
      for (const run of changed) {
        told.set(run.id, textOf(run));
        yield run;
      }
      if (progress.every(hasEnded)) {
        yield 'end';
        return;
      }
      await sleep(lookMs, undefined, { signal: ending, ref: false }).catch(() => {});
      progress = await findProgress(database.sql, organizationId, runIds);
    }
  }

  return async function watchRuns(
    context: WatchContext,
    runIds: readonly string[],
  ): Promise<AsyncGenerator<WatchEvent>> {
    const watcher = watcherOf(context);
    const { id: organizationId } = onlyOrganization(context.scope).organization;
    const first = await findProgress(database.sql, organizationId, runIds);
    if (first.length < new Set(runIds).size) throw new AppError('NOT_FOUND', 'There is no such review');
    if (!places.hasRoomFor(watcher) || stopping.aborted)
      throw new AppError('SERVICE_UNAVAILABLE', 'Too many reviews are being watched', 30);
    return (async function* () {
      // The place is taken only now: a stream that is never read would never give it back. Another watcher may have taken it
      // meanwhile.
      const place = places.take(watcher);
      if (place === undefined) return;
      try {
        yield* follow(context, runIds, first, AbortSignal.any([stopping, place.signal]));
      } catch (error) {
        // The session has ended, or the rights were revoked: the client's next request gets the reason.
        if (!(error instanceof AppError)) throw error;
      } finally {
        place.leave();
      }
    })();
  };
}
