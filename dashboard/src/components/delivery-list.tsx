import { Badge, Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { humanize } from '../lib/format.ts';
import { LoadMore, type usePages } from './lists/load-more.tsx';
import type { Column } from './lists/table-frame.tsx';
import { TableRegion } from './lists/table-region.tsx';
import { Empty, QueryState } from './query-state.tsx';

interface Delivery {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
}

interface DeliveryListProps<Row extends Delivery> {
  query: ReturnType<typeof usePages<{ data: readonly Row[]; next_cursor: string | null }>>;
  /** The status that deliveries are filtered by. */
  status: string | null;
  colors: Readonly<Record<Row['status'], string>>;
  whenEmpty: string;
  describe: (delivery: Row) => ReactNode;
  nameOf: (delivery: Row) => string;
  mayReplay?: (delivery: Row) => boolean;
  onReplay: (id: string) => void;
}

/** Deliveries with their status and number of attempts, and a button to repeat each. */
export function DeliveryList<Row extends Delivery>({
  query,
  status,
  colors,
  whenEmpty,
  describe,
  nameOf,
  mayReplay = () => true,
  onReplay,
}: DeliveryListProps<Row>) {
  const columns: Column<Row>[] = [
    { label: 'Event', cell: (delivery) => <div>{describe(delivery)}</div> },
    {
      label: 'Status',
      cell: (delivery) => (
        <div>
          <Badge color={colors[delivery.status as Row['status']]} miw="max-content">
            {humanize(delivery.status)}
          </Badge>
          <Text size="xs" c="dimmed">
            {delivery.attempts === 1 ? '1 attempt' : `${delivery.attempts} attempts`}
          </Text>
        </div>
      ),
    },
    {
      label: 'Actions',
      isLabelHidden: true,
      align: 'right',
      cell: (delivery) =>
        mayReplay(delivery) && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Replay ${nameOf(delivery)}`}
            onClick={() => onReplay(delivery.id)}
          >
            Replay
          </Button>
        ),
    },
  ];
  return (
    <QueryState query={query} lines={4}>
      {({ pages }) => {
        const deliveries = pages.flatMap(({ data }) => data);
        if (deliveries.length === 0)
          return (
            <Empty title={status === null ? 'No deliveries yet' : `No ${status} deliveries`}>
              {whenEmpty}
            </Empty>
          );
        return (
          <>
            <TableRegion
              label="Deliveries"
              columns={columns}
              rows={deliveries}
              rowKey={({ id }) => id}
              isInDialog
            />
            <LoadMore query={query} />
          </>
        );
      }}
    </QueryState>
  );
}
