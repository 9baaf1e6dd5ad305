import { NativeSelect, Text } from '@mantine/core';
import { useMemo } from 'react';
import { SelectBox, useSelection } from '../../components/lists/selection.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import type { MorePages } from '../../components/lists/virtual-list.tsx';
import type { View } from '../../lib/session.ts';
import { BulkChanges } from './bulk-changes.tsx';
import { useRoleChange } from './member-changes.ts';
import type { Choice } from './people-filters.tsx';
import { PeopleTable } from './people-table.tsx';
import { DashboardCell, SeatCell } from './person-cells.tsx';
import type { Member } from './wire.ts';

/** The members, with selection, roles, seats and invitations. */
export function MemberTable({
  view,
  members,
  roles,
  total,
  more,
}: {
  view: View;
  members: readonly Member[];
  roles: readonly Choice[];
  total: number | null | undefined;
  more: MorePages;
}) {
  const selection = useSelection();
  const assignable = useMemo(() => roles.filter(({ value }) => value !== 'cr_billing_admin'), [roles]);
  const columns = useMemo<Column<Member>[]>(
    () => [
      {
        label: 'Select',
        isLabelHidden: true,
        width: 40,
        cell: ({ user_id, username }) => <SelectBox selection={selection} id={user_id} label={username} />,
      },
      { label: 'Person', sort: 'name', cell: (member) => <PersonCell member={member} /> },
      {
        label: 'Role',
        sort: 'role',
        cell: (member) => <RoleCell view={view} member={member} roles={assignable} />,
      },
      {
        label: 'Seat',
        sort: 'seat',
        cell: ({ user_id, username, seat_assigned }) => (
          <SeatCell view={view} id={user_id} label={username} isAssigned={seat_assigned} />
        ),
      },
      { label: 'Dashboard', cell: (member) => <DashboardCell view={view} person={member} /> },
    ],
    [selection, assignable, view],
  );
  return (
    <>
      <BulkChanges
        view={view}
        selection={selection}
        loaded={members.map(({ user_id }) => user_id)}
        roles={assignable}
      />
      <PeopleTable columns={columns} rows={members} total={total} more={more} />
    </>
  );
}

function PersonCell({ member }: { member: Member }) {
  return (
    <div>
      <Text fw={600}>{member.username}</Text>
      <Text size="xs" c="dimmed">
        {member.email ?? `ID ${member.user_id}`}
      </Text>
    </div>
  );
}

function RoleCell({ view, member, roles }: { view: View; member: Member; roles: readonly Choice[] }) {
  const change = useRoleChange(view);
  if (member.role === 'cr_billing_admin') return <Text>{member.role_name}</Text>;
  const isListed = roles.some(({ value }) => value === member.role);
  return (
    <NativeSelect
      aria-label={`Role for ${member.username}`}
      size="xs"
      w={170}
      value={change.isPending ? change.variables.role : member.role}
      data={isListed ? [...roles] : [...roles, { value: member.role, label: member.role_name }]}
      onChange={(event) => change.mutate({ role: event.currentTarget.value, ids: [member.user_id] })}
    />
  );
}
