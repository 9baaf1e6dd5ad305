import type { PgBoss } from 'pg-boss';
import { whileInHand } from '../lib/concurrency/in-hand.ts';
import { endLease, givenUpReason, takeLease } from './leases.ts';
import { type AnyUnit, type Attempt, NonRetryable, RetryLater } from './unit-of-work.ts';

/** How long a unit may take to end after its timeout; then its lease expires, and another attempt can take it. */
const leaseGraceSeconds = 60;
/** The delay of a unit whose lease or turn is held by another one. */
const heldPauseSeconds = 2;

/** A unit as pg-boss passes it to a worker. */
export interface TakenUnit {
  readonly id: string;
  readonly data: object;
  readonly signal: AbortSignal;
  readonly retryCount: number;
  readonly retryLimit: number;
  readonly singletonKey: string | null;
  readonly groupId?: string | null;
}

/** Runs a unit that a worker has taken. Throws if it is to be retried, or has failed for good. */
export async function runUnit(
  boss: PgBoss,
  unit: AnyUnit,
  taken: TakenUnit,
  onError: (error: unknown) => void,
): Promise<void> {
  const isLast = taken.retryCount >= taken.retryLimit;
  try {
    await runLeased(boss, unit, taken, isLast);
  } catch (error) {
    if (error instanceof RetryLater && !isLast) {
      await requeue(boss, unit, taken, error.afterSeconds);
      return;
    }
    onError(error);
    if (!isLast && !(error instanceof NonRetryable)) throw error;
    await unit.onGivenUp?.(taken.data, error);
    if (error instanceof NonRetryable) return;
    throw error;
  }
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

async function requeue(boss: PgBoss, unit: AnyUnit, taken: TakenUnit, afterSeconds: number): Promise<void> {
  await boss.send(unit.name, taken.data, {
    startAfter: afterSeconds,
    ...(taken.singletonKey !== null && { singletonKey: taken.singletonKey }),
    ...(taken.groupId != null && { group: { id: taken.groupId } }),
  });
}
