import type { PgBoss } from 'pg-boss';
import type { ConnectionTarget, Db } from '../db/database.ts';
import { type RunningSchedules, runSchedules } from '../lib/schedule.ts';
import { endUnendedLeases, executeOn } from './leases.ts';
import { beat, type CutOffUnit, createUnleasedSearch, giveBack } from './nodes.ts';
import { openBoss } from './open-boss.ts';
import { createPollReport } from './poll-report.ts';
import { lookForDueWork, type QueueState, readState } from './queue-tables.ts';
import { runUnit, type TakenUnit } from './run-unit.ts';
import type { AnyUnit, UnitOfWork } from './unit-of-work.ts';

export interface EnqueueOptions {
  /** At most one unit with the same key waits and at most one runs; any further one is redundant and not stored. */
  readonly key: string;
  /** Units of one group share a concurrency limit. */
  readonly group?: string;
  readonly startAfterSeconds?: number;
  /** Higher priorities run first. */
  readonly priority?: number;
}

export interface WorkQueue {
  /** Stores a unit as part of the given transaction. */
  enqueue<Data extends object>(
    db: Db,
    unit: UnitOfWork<Data>,
    data: Data,
    options: EnqueueOptions,
  ): Promise<void>;
  /** The same for many units of one kind, in one statement. */
  enqueueAll<Data extends object>(
    db: Db,
    unit: UnitOfWork<Data>,
    work: readonly { readonly data: Data; readonly options: EnqueueOptions }[],
  ): Promise<void>;
  /**
   * Starts the delayed units of a group now, including those that wait for a retry: all of them, or those of one kind.
   * Otherwise, a delayed unit would make any new one with the same key redundant.
   */
  startNow(db: Db, group: string, unit?: AnyUnit): Promise<void>;
  /** Makes this node's workers look for work now; call it after the enqueuing transaction has been committed. */
  wake(name: string): void;
  state(db: Db): Promise<QueueState[]>;
  /**
   * By kind: the number of units of dead nodes that this node has returned to the queue, and how long the last of those nodes
   * had been silent.
   */
  takenOver(): readonly TakenOver[];
  /** Starts this node's workers. Before that, units are only stored. */
  startWorkers(): Promise<void>;
  /** Takes no more work, waits a moment for running units, then releases them to be run again. */
  stop(): Promise<void>;
}

export interface TakenOver {
  readonly name: string;
  readonly count: number;
  readonly silentForSeconds: number;
}

export interface WorkQueueOptions {
  readonly target: ConnectionTarget;
  /** All kinds of work; called when the queue is opened. */
  readonly units: () => readonly AnyUnit[];
  /** `leftOut`: the number of errors of the same outage of the database that were not passed on. */
  onError(error: unknown, context: { readonly unit?: string; readonly leftOut?: number }): void;
  /** Called when a unit of a dead node is returned to the queue. */
  onTakenOver?(unit: CutOffUnit): void;
}

/** The interval of polling for due work of any kind: units that other nodes enqueued, or that were delayed. */
const lookMs = 1000;
/** Workers are woken explicitly; their own polling is only a fallback. */
const workerPollSeconds = 60;
const stopTimeoutMs = 3_000;

function sendOptions({ key, group, startAfterSeconds, priority }: EnqueueOptions) {
  return {
    singletonKey: key,
    ...(group !== undefined && { group: { id: group } }),
    ...(startAfterSeconds !== undefined && { startAfter: startAfterSeconds }),
    ...(priority !== undefined && { priority }),
  };
}

interface Worker {
  id: string;
  /** Whether it runs a unit. */
  isBusy: boolean;
}

/** The queue, in its own schema of the installation's database; opened on first use. */
export function createWorkQueue({ target, units, onError, onTakenOver }: WorkQueueOptions): WorkQueue {
  const workers = new Map<string, Worker[]>();
  const takenOver = new Map<string, TakenOver>();
  const findUnleased = createUnleasedSearch();
  const onPollError = createPollReport((error, leftOut) => onError(error, leftOut === 0 ? {} : { leftOut }));
  let opened: Promise<PgBoss> | undefined;
  let looking: RunningSchedules | undefined;

  function open(): Promise<PgBoss> {
    opened ??= openBoss(target, units(), onPollError).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  async function takeOver(boss: PgBoss): Promise<void> {
    for (const cutOff of [...(await beat(boss.getDb())), ...(await findUnleased(boss.getDb()))]) {
      try {
        await giveBack(boss, cutOff);
        const before = takenOver.get(cutOff.name)?.count ?? 0;
        takenOver.set(cutOff.name, {
          name: cutOff.name,
          count: before + 1,
          silentForSeconds: cutOff.silentForSeconds,
        });
        onTakenOver?.(cutOff);
      } catch (error) {
        // Later, pg-boss's own heartbeat of the unit expires.
        onError(error, { unit: cutOff.name });
      }
    }
  }

  /** Wakes one idle worker, which wakes the next one if it finds a unit. Busy workers poll when they are done. */
  async function wake(name: string): Promise<void> {
    const boss = await opened;
    const idle = workers.get(name)?.find(({ isBusy }) => !isBusy);
    if (idle !== undefined) boss?.notifyWorker(idle.id);
  }

  async function startWorker(boss: PgBoss, unit: AnyUnit): Promise<Worker> {
    const worker: Worker = { id: '', isBusy: false };
    const options = {
      pollingIntervalSeconds: workerPollSeconds,
      includeMetadata: true,
      ...(unit.atOncePerGroup !== undefined && { groupConcurrency: unit.atOncePerGroup }),
    };
    worker.id = await boss.work(unit.name, options, async ([taken]) => {
      worker.isBusy = true;
      void wake(unit.name);
      try {
        await runUnit(boss, unit, taken as unknown as TakenUnit, (error) =>
          onError(error, { unit: unit.name }),
        );
      } finally {
        worker.isBusy = false;
        // Poll again once the end of this unit is stored.
        boss.notifyWorker(worker.id);
      }
    });
    return worker;
  }

  return {
    async enqueue(db, unit, data, options) {
      const boss = await open();
      await boss.send(unit.name, data, { db: executeOn(db), ...sendOptions(options) });
    },
    async enqueueAll(db, unit, work) {
      const boss = await open();
      const sent = work.map(({ data, options }) => ({ data, ...sendOptions(options) }));
      await boss.insert(unit.name, sent, { db: executeOn(db) });
    },
    async startNow(db, group, unit) {
      await open();
      const names = (unit === undefined ? units() : [unit]).map(({ name }) => name);
      await db`
        UPDATE work.job SET start_after = now()
        WHERE name = ANY(${names}::text[]) AND group_id = ${group} AND state IN ('created', 'retry') AND start_after > now()`;
    },
    wake: (name) => void wake(name),
    async state(db) {
      const [schemaRow] = await db<
        { exists: boolean }[]
      >`SELECT to_regclass('work.job') IS NOT NULL AS exists`;
      return schemaRow!.exists ? readState(db, units()) : [];
    },
    takenOver: () => [...takenOver.values()],
    async startWorkers() {
      const boss = await open();
      for (const unit of units()) {
        const started: Worker[] = [];
        workers.set(unit.name, started);
        for (let count = 0; count < unit.atOnce; count += 1) started.push(await startWorker(boss, unit));
      }
      const look = async (signal: AbortSignal) => {
        try {
          await endUnendedLeases(boss.getDb());
          await takeOver(boss);
          for (const name of await lookForDueWork(boss, units())) await wake(name);
        } catch (error) {
          if (!signal.aborted) throw error;
        }
      };
      looking = runSchedules([{ name: 'look-for-work', intervalMs: lookMs, run: look }], (_, error) =>
        onPollError(error),
      );
    },
    async stop() {
      void looking?.stop(); // not awaited: the database may have gone silent
      const boss = await opened?.catch(() => undefined);
      await boss?.stop({ graceful: true, timeout: stopTimeoutMs });
    },
  };
}
