import { PgBoss, type QueueResult } from 'pg-boss';
import { workConnection } from '../db/client/queue-connection.ts';
import type { ConnectionTarget, Db } from '../db/database.ts';
import { whileInHand } from '../lib/concurrency/in-hand.ts';
import { type RunningSchedules, runSchedules } from '../lib/schedule.ts';
import { endLease, endUnendedLeases, executeOn, givenUpReason, takeLease } from './leases.ts';
import { beat, type CutOffUnit, createUnleasedSearch, giveBack } from './nodes.ts';
import { lookForDueWork, policy, type QueueState, readState, schema } from './queue-tables.ts';
import { type AnyUnit, type Attempt, NonRetryable, RetryLater, type UnitOfWork } from './unit-of-work.ts';

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
  onError(error: unknown, context: { readonly unit?: string }): void;
  /** Called when a unit of a dead node is returned to the queue. */
  onTakenOver?(unit: CutOffUnit): void;
}

/** The interval of polling for due work of any kind: units that other nodes enqueued, or that were delayed. */
const lookMs = 1000;
/** Workers are woken explicitly; their own polling is only a fallback. */
const workerPollSeconds = 60;
const heartbeatSeconds = 30;
const stopTimeoutMs = 3_000;
/** How long a unit may take to end after its timeout, until its lease expires. */
const leaseGraceSeconds = 60;
/** The delay of a unit whose lease or turn is held by another one. */
const heldPauseSeconds = 2;
const keepDoneSeconds = 24 * 60 * 60;
const connections = 4;

function sendOptions({ key, group, startAfterSeconds, priority }: EnqueueOptions) {
  return {
    singletonKey: key,
    ...(group !== undefined && { group: { id: group } }),
    ...(startAfterSeconds !== undefined && { startAfter: startAfterSeconds }),
    ...(priority !== undefined && { priority }),
  };
}

interface TakenUnit {
  readonly id: string;
  readonly data: object;
  readonly signal: AbortSignal;
  readonly retryCount: number;
  readonly retryLimit: number;
  readonly singletonKey: string | null;
  readonly groupId?: string | null;
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
  let opened: Promise<PgBoss> | undefined;
  let looking: RunningSchedules | undefined;

  function open(): Promise<PgBoss> {
    opened ??= openBoss(target, units(), onError).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  /** Runs a unit under its lease, or delays it. */
  async function runLeased(boss: PgBoss, unit: AnyUnit, taken: TakenUnit, isLast: boolean): Promise<void> {
    const { name } = unit;
    const key = taken.singletonKey ?? taken.id;
    const seconds = unit.maxSeconds + leaseGraceSeconds;
    const lease = await takeLease(boss.getDb(), name, key, { seconds, turn: unit.turnOf?.(taken.data) });
    if (lease === 'given up') throw new NonRetryable(givenUpReason);
    if (lease === 'held') return requeue(boss, unit, taken, heldPauseSeconds);
    const attempt: Attempt = { signal: taken.signal, number: taken.retryCount + 1, isLast, lease: lease.id };
    await whileInHand({ kind: 'unit of work', name, key }, () => unit.run(taken.data, attempt)).finally(() =>
      endLease(boss.getDb(), lease),
    );
  }

  async function runOne(boss: PgBoss, unit: AnyUnit, taken: TakenUnit): Promise<void> {
    const isLast = taken.retryCount >= taken.retryLimit;
    try {
      await runLeased(boss, unit, taken, isLast);
    } catch (error) {
      if (error instanceof RetryLater && !isLast) {
        await requeue(boss, unit, taken, error.afterSeconds);
        return;
      }
      onError(error, { unit: unit.name });
      if (!isLast && !(error instanceof NonRetryable)) throw error;
      await unit.onGivenUp?.(taken.data, error);
      if (error instanceof NonRetryable) return;
      throw error;
    }
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
        await runOne(boss, unit, taken as unknown as TakenUnit);
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
        onError(error, {}),
      );
    },
    async stop() {
      void looking?.stop(); // not awaited: the database may have gone silent
      const boss = await opened?.catch(() => undefined);
      await boss?.stop({ graceful: true, timeout: stopTimeoutMs });
    },
  };
}

async function openBoss(
  target: ConnectionTarget,
  units: readonly AnyUnit[],
  onError: WorkQueueOptions['onError'],
): Promise<PgBoss> {
  const boss = new PgBoss({
    ...workConnection(target),
    schema,
    max: connections,
    application_name: 'postil work',
    schedule: false,
    // How soon pg-boss detects the work of a dead node.
    superviseIntervalSeconds: 15,
    monitorIntervalSeconds: 15,
    // How soon a node sees changes of the stored running keys.
    queueCacheIntervalSeconds: 1,
  });
  boss.on('error', (error: unknown) => onError(error, {}));
  await boss.start();
  try {
    const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
    for (const unit of units) await createQueue(boss, unit, known.get(unit.name));
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
}

/** Creates the queue of a unit, or updates one whose options are different. */
async function createQueue(
  boss: PgBoss,
  { name, maxSeconds, retries }: AnyUnit,
  known: QueueResult | undefined,
): Promise<void> {
  const options = {
    expireInSeconds: maxSeconds,
    heartbeatSeconds,
    retryLimit: retries.count,
    retryDelay: retries.firstPauseSeconds,
    retryBackoff: true,
    retryDelayMax: retries.maxPauseSeconds,
    deleteAfterSeconds: keepDoneSeconds,
  };
  if (known === undefined) await boss.createQueue(name, { policy, ...options });
  else if (Object.entries(options).some(([option, value]) => known[option as keyof QueueResult] !== value))
    await boss.updateQueue(name, options);
}

async function requeue(boss: PgBoss, unit: AnyUnit, taken: TakenUnit, afterSeconds: number): Promise<void> {
  await boss.send(unit.name, taken.data, {
    startAfter: afterSeconds,
    ...(taken.singletonKey !== null && { singletonKey: taken.singletonKey }),
    ...(taken.groupId != null && { group: { id: taken.groupId } }),
  });
}
