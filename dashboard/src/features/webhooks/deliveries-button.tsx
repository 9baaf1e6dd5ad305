import { Badge, Button, type ButtonProps, Table, Text } from '@mantine/core';
import { useAction } from '../../components/action.ts';
import { DeliveriesModal } from '../../components/deliveries-modal.tsx';
import { LoadMore, usePages } from '../../components/lists/load-more.tsx';
import { TableRegion } from '../../components/lists/table-region.tsx';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatInstant, humanize } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { type Delivery, type DeliveryPage, labelOfType, type Webhook } from './wire.ts';

const statuses = ['waiting', 'delivered', 'failed'];
const colors: Record<Delivery['status'], string> = { waiting: 'orange', delivered: 'teal', failed: 'red' };
const pollMs = 2_000;

/** What the receiver answered to the last attempt, or why it could not. */
function Answer({ delivery: { response, error, next_attempt_at } }: { delivery: Delivery }) {
  const lines = [
    // A status above 400 says it all; the error would only repeat it.
    ...(error === null || (response?.status ?? 0) >= 400 ? [] : [error]),
    ...(response === null ? [] : [`Answer ${response.status}${response.body && `: ${response.body}`}`]),
    ...(next_attempt_at === null ? [] : [`Next attempt ${formatInstant(next_attempt_at)}`]),
  ];
  return lines.map((line) => (
    <Text key={line} size="xs" c="dimmed" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
      {line}
    </Text>
  ));
}

function DeliveryList({ webhook, view, status }: { webhook: Webhook; view: View; status: string | null }) {
  const key = ['webhook-deliveries', webhook.id];
  const path = `webhooks/${webhook.id}/deliveries`;
  const query = usePages<DeliveryPage>(
    [...key, status],
    path,
    view,
    { status: status ?? undefined, limit: 25 },
    () => pollMs,
  );
  const replay = useAction((id: string) => api('POST', `${path}/${id}/replay`, { scope: view }), {
    invalidates: [key],
    done: 'The event will be sent again',
  });
  return (
    <QueryState query={query} lines={4}>
      {({ pages }) => {
        const deliveries = pages.flatMap(({ data }) => data);
        if (deliveries.length === 0)
          return (
            <Empty title={status === null ? 'No deliveries yet' : `No ${status} deliveries`}>
              Events appear here when they are sent, and stay for 14 days, unless the operator has chosen
              another time.
            </Empty>
          );
        return (
          <>
            <TableRegion label="Deliveries" minWidth={300} columns={['Event', 'Status', '.Actions']}>
              {deliveries.map((delivery) => (
                <Table.Tr key={delivery.id}>
                  <Table.Td>
                    {labelOfType(delivery.type)}
                    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      {formatInstant(delivery.created_at)}, {delivery.subject}
                    </Text>
                    <Answer delivery={delivery} />
                  </Table.Td>
                  <Table.Td>
                    <Badge color={colors[delivery.status]} style={{ minWidth: 'max-content' }}>
                      {humanize(delivery.status)}
                    </Badge>
                    <Text size="xs" c="dimmed">
                      {delivery.attempts === 1 ? '1 attempt' : `${delivery.attempts} attempts`}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right">
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Replay ${labelOfType(delivery.type)}, ${formatInstant(delivery.created_at)}`}
                      onClick={() => replay.mutate(delivery.id)}
                    >
                      Replay
                    </Button>
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

/** Lists what was sent to a webhook, and sends it again. */
export function DeliveriesButton({
  webhook,
  view,
  ...button
}: Omit<ButtonProps, 'children'> & { webhook: Webhook; view: View }) {
  return (
    <DeliveriesModal {...button} title={`Deliveries to ${new URL(webhook.url).host}`} statuses={statuses}>
      {(status) => <DeliveryList webhook={webhook} view={view} status={status} />}
    </DeliveriesModal>
  );
}
