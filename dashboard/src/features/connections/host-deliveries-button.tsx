import { Text } from '@mantine/core';
import { useAction } from '../../components/action.ts';
import { DeliveriesModal } from '../../components/deliveries-modal.tsx';
import { DeliveryList } from '../../components/delivery-list.tsx';
import { usePages } from '../../components/lists/load-more.tsx';
import { api } from '../../lib/api.ts';
import { formatInstant } from '../../lib/format.ts';
import { type Connection, connectionsKey, type Delivery, type DeliveryPage } from './wire.ts';

const statuses = ['waiting', 'done', 'ignored', 'failed'];
const colors: Record<Delivery['status'], string> = {
  waiting: 'orange',
  done: 'teal',
  ignored: 'gray',
  failed: 'red',
};

function ConnectionDeliveries({ connection, status }: { connection: Connection; status: string | null }) {
  const key = ['deliveries', connection.id];
  const query = usePages<DeliveryPage>(
    [...key, status],
    `connections/${connection.id}/deliveries`,
    undefined,
    {
      status: status ?? undefined,
      limit: 25,
    },
  );
  const replay = useAction(
    (id: string) => api('POST', `connections/${connection.id}/deliveries/${id}/replay`),
    { invalidates: [key, connectionsKey], done: 'The delivery will be processed again' },
  );
  return (
    <DeliveryList
      query={query}
      status={status}
      colors={colors}
      whenEmpty="Webhook deliveries from the host appear here. A sweep every 15 minutes picks up anything that was missed."
      describe={({ event, received_at, error }) => (
        <>
          {event}
          <Text size="xs" c="dimmed">
            {formatInstant(received_at)}
          </Text>
          {error !== null && (
            <Text size="xs" c="dimmed">
              {error}
            </Text>
          )}
        </>
      )}
      nameOf={({ event, received_at }) => `${event} received ${formatInstant(received_at)}`}
      mayReplay={({ status: state }) => state !== 'ignored'}
      onReplay={replay.mutate}
    />
  );
}

/** Lists webhook deliveries by status, and lets an admin replay them. */
export function DeliveriesButton({ connection, name }: { connection: Connection; name: string }) {
  return (
    <DeliveriesModal size="xs" variant="default" title={`Deliveries from ${name}`} statuses={statuses}>
      {(status) => <ConnectionDeliveries connection={connection} status={status} />}
    </DeliveriesModal>
  );
}
