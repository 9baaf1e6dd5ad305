import { Group, Paper, Progress, SegmentedControl, Text } from '@mantine/core';
import { useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import type { MemberPage, PersonPage } from './wire.ts';

type SeatTotals = Omit<MemberPage | PersonPage, 'users' | 'next_cursor' | 'total'>;

/** Where the seats come from and who needs one. */
function explain({ seat_pool: pool, seat_assignment_mode: mode }: SeatTotals): string {
  const source =
    pool.workspace === null
      ? 'These are the seats of this organization.'
      : `The ${formatNumber(pool.organizations)} organizations of ${pool.workspace} share their seats; a person uses one seat, however many accounts they have.`;
  const assignment =
    mode === 'automatic'
      ? 'Whoever opens or updates a pull request gets an available seat automatically.'
      : 'Admins assign seats.';
  return `${source} ${assignment} Reviews need the author to have a seat.`;
}

/** The seats in use out of those purchased, where they come from, and how they are assigned. */
export function Seats({ view, totals }: { view: View; totals: SeatTotals }) {
  const setMode = useAction(
    (mode: string) => api('POST', 'users/seats/assignment', { scope: view, body: { mode } }),
    { invalidates: [['people', view.id]], done: 'Assignment mode changed' },
  );
  const { seats_assigned: used, seats_purchased: purchased, seat_assignment_mode: mode } = totals;
  return (
    <Paper withBorder p="md" mb="lg">
      <Group justify="space-between" mb="xs">
        <Text fw={600}>
          {formatNumber(used)} of {formatNumber(purchased)} seats used
        </Text>
        {view.kind === 'organization' && view.isSelfHosted && (
          <SegmentedControl
            aria-label="How seats are assigned"
            value={mode}
            onChange={(value) => setMode.mutate(value)}
            data={[
              { value: 'automatic', label: 'Automatic' },
              { value: 'manual', label: 'Manual' },
            ]}
          />
        )}
      </Group>
      <Progress
        value={purchased === 0 ? 0 : (used / purchased) * 100}
        aria-label={`${used} of ${purchased} seats used`}
        color={used >= purchased ? 'orange' : 'indigo'}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {explain(totals)}
      </Text>
    </Paper>
  );
}
