import { PgBoss, type QueueResult } from 'pg-boss';
import { workConnection } from '../db/client/queue-connection.ts';
import type { ConnectionTarget } from '../db/database.ts';
import { policy, schema } from './queue-tables.ts';
import type { AnyUnit } from './unit-of-work.ts';

const heartbeatSeconds = 30;
const keepDoneSeconds = 24 * 60 * 60;
const connections = 4;

/** Opens pg-boss, with a queue for each kind of unit. */
export async function openBoss(
  target: ConnectionTarget,
  units: readonly AnyUnit[],
  onError: (error: unknown) => void,
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
  boss.on('error', (error: unknown) => onError(error));
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
