import { type Database, isUnavailable } from '../../../db/database.ts';
import { type DeliveryOutcome, insertDeliveries, type NewDelivery } from './delivery-store.ts';

const maxPerStatement = 500;

interface Waiting {
  readonly delivery: NewDelivery;
  resolve(outcome: DeliveryOutcome): void;
  reject(error: unknown): void;
}

/** Stores a delivery; it is durable when this resolves. */
export type DeliveryWriter = (delivery: NewDelivery) => Promise<DeliveryOutcome>;

/**
 * Stores deliveries, batching those that arrive while others are being stored: under load, one commit covers many, and without
 * load, none waits.
 */
export function createDeliveryWriter(database: Database): DeliveryWriter {
  const waiting: Waiting[] = [];
  let isWriting = false;

  async function write(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await insertDeliveries(
        database.sql,
        group.map(({ delivery }) => delivery),
      );
      for (const { delivery, resolve } of group) resolve(outcomes.get(delivery.id)!);
    } catch (error) {
      // A delivery that cannot be stored must not fail the others in its batch.
      if (group.length > 1 && !isUnavailable(error)) for (const entry of group) await write([entry]);
      else for (const { reject } of group) reject(error);
    }
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) await write(waiting.splice(0, maxPerStatement));
    isWriting = false;
  }

  return (delivery) => {
    const { promise, resolve, reject } = Promise.withResolvers<DeliveryOutcome>();
    waiting.push({ delivery, resolve, reject });
    if (!isWriting) void writeAll();
    return promise;
  };
}
