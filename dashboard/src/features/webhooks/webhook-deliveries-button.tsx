import { type ButtonProps, Text } from '@mantine/core';
import { useAction } from '../../components/action.ts';
import { DeliveriesModal } from '../../components/deliveries-modal.tsx';
import { DeliveryList } from '../../components/delivery-list.tsx';
import { usePages } from '../../components/lists/load-more.tsx';
import { api } from '../../lib/api.ts';
import { formatInstant } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { type Delivery, type DeliveryPage, labelOfType, type Webhook } from './wire.ts';

const statuses = ['waiting', 'delivered', 'failed'];
const colors: Record<Delivery['status'], string> = { waiting: 'orange', delivered: 'teal', failed: 'red' };
const pollMs = 2_000;

/** The receiver's response to the last attempt, or why there was none. */
function Answer({ delivery: { response, error, next_attempt_at } }: { delivery: Delivery }) {
  const lines = [
    // With a status of 400 or above, the error would only repeat it.
    ...(error === null || (response?.status ?? 0) >= 400 ? [] : [error]),
    ...(response === null ? [] : [`Response ${response.status}${response.body && `: ${response.body}`}`]),
    ...(next_attempt_at === null ? [] : [`Next attempt ${formatInstant(next_attempt_at)}`]),
  ];
  return lines.map((line) => (
    <Text key={line} size="xs" c="dimmed" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
      {line}
    </Text>
  ));
}

function WebhookDeliveries({
  webhook,
  view,
  status,
}: {
  webhook: Webhook;
  view: View;
  status: string | null;
}) {
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
    <DeliveryList
      query={query}
      status={status}
      colors={colors}
      whenEmpty="Events appear here when they are sent. They are kept for 14 days, unless configured otherwise."
      describe={(delivery) => (
        <>
          {labelOfType(delivery.type)}
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {formatInstant(delivery.created_at)}, {delivery.subject}
          </Text>
          <Answer delivery={delivery} />
        </>
      )}
      nameOf={({ type, created_at }) => `${labelOfType(type)}, ${formatInstant(created_at)}`}
      onReplay={replay.mutate}
    />
  );
}

/** Lists the deliveries to a webhook, and repeats them. */
export function DeliveriesButton({
  webhook,
  view,
  ...button
}: Omit<ButtonProps, 'children'> & { webhook: Webhook; view: View }) {
  return (
    <DeliveriesModal {...button} title={`Deliveries to ${new URL(webhook.url).host}`} statuses={statuses}>
      {(status) => <WebhookDeliveries webhook={webhook} view={view} status={status} />}
    </DeliveriesModal>
  );
}
