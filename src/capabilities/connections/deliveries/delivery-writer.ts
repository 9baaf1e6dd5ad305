import { type Database, isUnavailable } from '../../../db/database.ts';
import { gatherByName } from '../../../lib/concurrency/gather.ts';
import { type DeliveryOutcome, insertDeliveries, type NewDelivery } from './delivery-store.ts';

/** Stores a delivery; it is durable when this resolves. */
export type DeliveryWriter = (delivery: NewDelivery) => Promise<DeliveryOutcome>;

/** Stores deliveries; one commit covers those that arrive while others are being stored. */
export function createDeliveryWriter({ sql }: Database): DeliveryWriter {
  const write = gatherByName(
    async (_, deliveries: readonly NewDelivery[]) => {
      const outcomes = await insertDeliveries(sql, deliveries);
      return deliveries.map(({ id }) => outcomes.get(id)!);
    },
    // A delivery that cannot be stored must not fail the others in its batch.
    { triesAlone: (error) => !isUnavailable(error) },
  );
  return (delivery) => write('', delivery);
}
