import type { Db } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { cutPage } from '../../../lib/wire/one-page.ts';
import type { ConnectionId } from '../connection-record.ts';
import { type DeliveryStatus, findDeliveries, replay } from './delivery-store.ts';

/** The deliveries from a host, newest first. */
export async function listDeliveries(
  db: Db,
  connectionId: ConnectionId,
  status: DeliveryStatus | undefined,
  { after, limit }: { after: string | undefined; limit: number },
) {
  const found = await findDeliveries(db, connectionId, status, after, limit + 1);
  const { rows, next } = cutPage(found, limit, ({ id }) => id);
  return { deliveries: rows.map((row) => ({ ...row, received_at: row.received_at.toISOString() })), next };
}

/** Schedules a delivery to be processed again. */
export async function replayDelivery(db: Db, connectionId: ConnectionId, id: string): Promise<void> {
  if (!(await replay(db, connectionId, id))) throw new AppError('NOT_FOUND', 'No such delivery');
}
