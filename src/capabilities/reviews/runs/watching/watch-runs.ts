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
  /** How often to look. */
  readonly lookMs?: number;
}

const defaultLookMs = 1_000;
/** How many looks without a change, until a sign of life is sent and the rights are checked again. */
const looksPerSign = 5;

/** What is sent: how a run stands now, a sign of life, or that all have ended. */
export type Sign = RunProgress | 'alive' | 'end';

type WatchContext = Pick<CallerContext, 'principal' | 'scope' | 'confirmRights'>;

function watcherOf({ principal, scope }: WatchContext): Watcher {
  return {
    personId: principal.owner?.personId ?? principal.keyId,
    organizationId: onlyOrganization(scope).organization.id,
  };
}

/**
 * Reports how runs of the organization stand, now and whenever that changes, until all of them have ended. It also ends when
 * the server stops or somebody with fewer streams needs the place, and within seconds when the caller may no longer see them.
 */
export function runWatcher({ database, stopping, lookMs = defaultLookMs }: WatchDeps) {
  const places = new WatchPlaces();

  async function* follow(
    context: WatchContext,
    runIds: readonly string[],
    first: readonly RunProgress[],
    ending: AbortSignal,
  ): AsyncGenerator<Sign> {
    const { id: organizationId } = onlyOrganization(context.scope).organization;
    const told = new Map<string, string>();
    const textOf = ({ status, stage }: RunProgress) => `${status} ${stage}`;
    let progress = first;
    for (let quietLooks = 0; !ending.aborted; quietLooks += 1) {
      const changed = progress.filter((run) => told.get(run.id) !== textOf(run));
      if (told.size > 0 && (changed.length > 0 || quietLooks >= looksPerSign)) {
        await context.confirmRights([organizationId]);
        quietLooks = 0;
        if (changed.length === 0) yield 'alive';
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
  ): Promise<AsyncGenerator<Sign>> {
    const watcher = watcherOf(context);
    const { id: organizationId } = onlyOrganization(context.scope).organization;
    const first = await findProgress(database.sql, organizationId, runIds);
    if (first.length < new Set(runIds).size) throw new AppError('NOT_FOUND', 'There is no such review');
    if (!places.hasRoomFor(watcher) || stopping.aborted)
      throw new AppError('SERVICE_UNAVAILABLE', 'Too many reviews are being watched', 30);
    return (async function* () {
      // Not before: one that is never read from never ends either. Whoever was faster has the place.
      const place = places.take(watcher);
      if (place === undefined) return;
      try {
        yield* follow(context, runIds, first, AbortSignal.any([stopping, place.signal]));
      } catch (error) {
        // The session ended, or the rights were taken: asking again gives the reason.
        if (!(error instanceof AppError)) throw error;
      } finally {
        place.leave();
      }
    })();
  };
}
