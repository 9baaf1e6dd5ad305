import { Group, Paper, Progress, SegmentedControl, Select, Text } from '@mantine/core';
import type { z } from 'zod';
import type { batchResult } from '../../../../src/capabilities/people/schemas.ts';
import { type Shortfall, useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';

export type BatchResult = z.output<typeof batchResult>;

export interface SeatTotals {
  readonly seats_purchased: number;
  readonly seats_assigned: number;
  readonly seat_assignment_mode: 'automatic' | 'manual';
}

/** Describes the outcome of a change to several people. */
export function describeBatch({ succeeded, failed }: BatchResult): string | Shortfall {
  const done = succeeded.length === 1 ? '1 person changed' : `${succeeded.length} people changed`;
  if (failed.length === 0) return done;
  const reasons = [...new Set(failed.map(({ message }) => message))].join('; ');
  return { message: `${done}, ${failed.length} failed: ${reasons}`, isTotal: succeeded.length === 0 };
}

/** The seats in use out of those purchased, and how they are assigned. */
export function Seats({ view, totals }: { view: View; totals: SeatTotals }) {
  const setMode = useAction(
    (mode: string) => api('POST', 'users/seats/assignment', { scope: view, body: { mode } }),
    { invalidates: [['users', view.id]], done: 'Assignment mode changed' },
  );
  const { seats_assigned: used, seats_purchased: purchased, seat_assignment_mode: mode } = totals;
  const mayChange = view.kind === 'organization' && view.isSelfHosted;
  return (
    <Paper withBorder p="md" mb="lg">
      <Group justify="space-between" mb="xs">
        <Text fw={600}>
          {formatNumber(used)} of {formatNumber(purchased)} seats used
        </Text>
        {mayChange ? (
          <SegmentedControl
            aria-label="How seats are assigned"
            value={mode}
            onChange={(value) => setMode.mutate(value)}
            data={[
              { value: 'automatic', label: 'Automatic' },
              { value: 'manual', label: 'Manual' },
            ]}
          />
        ) : (
          <Text size="sm" c="dimmed">
            {mode === 'automatic' ? 'Developers get a seat automatically' : 'Admins assign seats'}
          </Text>
        )}
      </Group>
      <Progress
        value={purchased === 0 ? 0 : (used / purchased) * 100}
        aria-label={`${used} of ${purchased} seats used`}
        color={used >= purchased ? 'orange' : 'indigo'}
      />
    </Paper>
  );
}

/** Filters by seat and role, kept in the URL. */
export function PeopleFilters() {
  const [{ seat, role }, change] = useFilters();
  return (
    <Group gap="xs">
      <Select
        label="Seat"
        w={150}
        value={seat ?? 'all'}
        onChange={(value) => change({ seat: value === 'all' ? undefined : (value ?? undefined) })}
        allowDeselect={false}
        data={[
          { value: 'all', label: 'All' },
          { value: 'assigned', label: 'With a seat' },
          { value: 'unassigned', label: 'Without a seat' },
        ]}
      />
      <Select
        label="Role"
        w={150}
        value={role ?? 'all'}
        onChange={(value) => change({ role: value === 'all' ? undefined : (value ?? undefined) })}
        allowDeselect={false}
        data={[
          { value: 'all', label: 'All' },
          { value: 'admin', label: 'Admins' },
          { value: 'member', label: 'Members' },
        ]}
      />
    </Group>
  );
}
