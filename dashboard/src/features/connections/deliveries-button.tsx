import { Badge, Button, Table, Text } from '@mantine/core';
import { useAction } from '../../components/action.ts';
import { DeliveriesModal } from '../../components/deliveries-modal.tsx';
import { LoadMore, usePages } from '../../components/lists/load-more.tsx';
import { TableRegion } from '../../components/lists/table-region.tsx';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatInstant, humanize } from '../../lib/format.ts';
import { type Connection, connectionsKey, type Delivery, type DeliveryPage } from './wire.ts';

const statuses = ['waiting', 'done', 'ignored', 'failed'];
const colors: Record<Delivery['status'], string> = {
  waiting: 'orange',
  done: 'teal',
  ignored: 'gray',
  failed: 'red',
};

function DeliveryList({ connection, status }: { connection: Connection; status: string | null }) {
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
    <QueryState query={query} lines={4}>
      {({ pages }) => {
        const deliveries = pages.flatMap(({ data }) => data);
        if (deliveries.length === 0)
          return (
            <Empty title={status === null ? 'No deliveries yet' : `No ${status} deliveries`}>
              Webhook deliveries from the host appear here. A sweep every 15 minutes picks up anything that
              was missed.
            </Empty>
          );
        return (
          <>
            <TableRegion label="Deliveries" minWidth={300} columns={['Event', 'Status', '.Actions']}>
              {deliveries.map((delivery) => (
                <Table.Tr key={delivery.id}>
                  <Table.Td>
                    {delivery.event}
                    <Text size="xs" c="dimmed">
                      {formatInstant(delivery.received_at)}
                    </Text>
                    {delivery.error !== null && (
                      <Text size="xs" c="dimmed">
                        {delivery.error}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <Badge color={colors[delivery.status]}>{humanize(delivery.status)}</Badge>
                    <Text size="xs" c="dimmed">
                      {delivery.attempts === 1 ? '1 attempt' : `${delivery.attempts} attempts`}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right">
                    {delivery.status !== 'ignored' && (
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={`Replay ${delivery.event} received ${formatInstant(delivery.received_at)}`}
                        onClick={() => replay.mutate(delivery.id)}
                      >
                        Replay
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </TableRegion>
            <LoadMore query={query} />
          </>
        );
      }}
    </QueryState>
  );
}

/** Lists webhook deliveries by status, and lets an admin replay them. */
export function DeliveriesButton({ connection, name }: { connection: Connection; name: string }) {
  return (
    <DeliveriesModal size="xs" variant="default" title={`Deliveries from ${name}`} statuses={statuses}>
      {(status) => <DeliveryList connection={connection} status={status} />}
    </DeliveriesModal>
  );
}
