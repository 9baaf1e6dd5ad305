import { Badge, Group, Switch, Text } from '@mantine/core';
import type { View } from '../../lib/session.ts';
import { InviteButton } from './invite-button.tsx';
import { useSeatChange } from './member-changes.ts';
import type { Member, Person } from './wire.ts';

/** A switch for a person's seat. A click shows the requested state at once, before the server has answered. */
export function SeatCell({
  view,
  id,
  label,
  isAssigned,
}: {
  view: View;
  id: string;
  label: string;
  isAssigned: boolean;
}) {
  const change = useSeatChange(view);
  const isShown = change.isPending ? change.variables.action === 'assign' : isAssigned;
  return (
    <Switch
      aria-label={`Seat for ${label}`}
      checked={isShown}
      onChange={() => {
        if (!change.isPending) change.mutate({ action: isAssigned ? 'unassign' : 'assign', ids: [id] });
      }}
    />
  );
}

/** Whether a person can sign in to the dashboard, or how to invite them. */
export function DashboardCell({
  view,
  person: { email, dashboard },
  isMember = true,
}: {
  view: View;
  person: Pick<Member | Person, 'email' | 'dashboard'>;
  /** Only members of an organization can be invited by its admins. */
  isMember?: boolean;
}) {
  if (dashboard === 'active') return <Text>Can sign in</Text>;
  if (email === null) return <Text c="dimmed">No email address</Text>;
  if (!isMember) return <Text c="dimmed">No access</Text>;
  return (
    <Group gap="xs">
      {dashboard === 'invited' && <Badge color="gray">Invited</Badge>}
      <InviteButton view={view} email={email} isAgain={dashboard === 'invited'} />
    </Group>
  );
}
