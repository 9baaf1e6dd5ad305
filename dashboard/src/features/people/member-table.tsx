import { Badge, Button, Checkbox, Group, NativeSelect, Select, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../components/action.ts';
import type { Column } from '../../components/data-table.tsx';
import type { MorePages } from '../../components/virtual-list.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { InviteButton } from './invite-button.tsx';
import { PeopleTable } from './people-table.tsx';
import { type BatchResult, describeBatch, type Member } from './wire.ts';

interface Role {
  readonly value: string;
  readonly label: string;
}

/** The server changes at most this many people at once. */
const batchSize = 500;

/** Sends a change for any number of people, in batches that the server takes. */
async function inBatches(ids: readonly string[], send: (batch: readonly string[]) => Promise<BatchResult>) {
  const results: BatchResult[] = [];
  for (let start = 0; start < ids.length; start += batchSize)
    results.push(await send(ids.slice(start, start + batchSize)));
  return {
    succeeded: results.flatMap(({ succeeded }) => succeeded),
    failed: results.flatMap(({ failed }) => failed),
  };
}

function useMemberChanges(view: View) {
  const invalidates = [['people', view.id], ['session']];
  const seats = useAction(
    ({ action, ids }: { action: 'assign' | 'unassign'; ids: readonly string[] }) =>
      inBatches(ids, (user_ids) => api('POST', 'users/seats', { scope: view, body: { action, user_ids } })),
    { invalidates, done: describeBatch },
  );
  const roles = useAction(
    ({ role, ids }: { role: string; ids: readonly string[] }) =>
      inBatches(ids, (user_ids) => api('POST', `roles/${role}/users`, { scope: view, body: { user_ids } })),
    { invalidates, done: describeBatch },
  );
  return { seats, roles };
}

type Changes = ReturnType<typeof useMemberChanges>;

/** The members, to select, to give roles and seats to, and to invite. */
export function MemberTable({
  view,
  members,
  roles,
  total,
  more,
}: {
  view: View;
  members: readonly Member[];
  roles: readonly Role[];
  total: number | null | undefined;
  more: MorePages;
}) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const changes = useMemberChanges(view);
  const assignable = roles.filter(({ value }) => value !== 'cr_billing_admin');
  function toggle(id: string) {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  }
  const columns: Column<Member>[] = [
    {
      label: 'Select',
      isLabelHidden: true,
      cell: ({ user_id, username }) => (
        <Checkbox
          aria-label={`Select ${username}`}
          checked={selected.has(user_id)}
          onChange={() => toggle(user_id)}
        />
      ),
    },
    { label: 'Person', sort: 'name', cell: (member) => <PersonCell view={view} member={member} /> },
    {
      label: 'Role',
      sort: 'role',
      cell: (member) => <RoleCell member={member} roles={assignable} changes={changes} />,
    },
    { label: 'Seat', sort: 'seat', cell: (member) => <SeatCell member={member} changes={changes} /> },
  ];
  return (
    <>
      <BulkChanges
        ids={[...selected]}
        loaded={members.map(({ user_id }) => user_id)}
        roles={assignable}
        changes={changes}
        onSelect={(ids) => setSelected(new Set(ids))}
      />
      <PeopleTable columns={columns} rows={members} total={total} more={more} />
    </>
  );
}

function BulkChanges({
  ids,
  loaded,
  roles,
  changes,
  onSelect,
}: {
  ids: readonly string[];
  loaded: readonly string[];
  roles: readonly Role[];
  changes: Changes;
  onSelect: (ids: readonly string[]) => void;
}) {
  return (
    <Group gap="xs" mb="sm" mih={36}>
      <Text size="sm" role="status">
        {ids.length === 0
          ? 'Select people to change several at once'
          : `${formatNumber(ids.length)} selected`}
      </Text>
      <Button size="xs" variant="default" onClick={() => onSelect(loaded)}>
        Select {formatNumber(loaded.length)} loaded
      </Button>
      {ids.length > 0 && (
        <>
          <Button size="xs" variant="default" onClick={() => onSelect([])}>
            Clear
          </Button>
          <Button size="xs" variant="default" onClick={() => changes.seats.mutate({ action: 'assign', ids })}>
            Assign seats
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => changes.seats.mutate({ action: 'unassign', ids })}
          >
            Unassign seats
          </Button>
          <Select
            size="xs"
            w={170}
            aria-label="Give a role to the selected people"
            placeholder="Give a role"
            data={[...roles]}
            value={null}
            onChange={(role) => role !== null && changes.roles.mutate({ role, ids })}
          />
        </>
      )}
    </Group>
  );
}

function PersonCell({ view, member }: { view: View; member: Member }) {
  return (
    <div>
      <Group gap="xs">
        <Text fw={600}>{member.username}</Text>
        {member.dashboard === 'invited' && (
          <Badge size="xs" variant="outline" color="gray">
            Invited
          </Badge>
        )}
        {member.email !== null && member.dashboard !== 'active' && (
          <InviteButton view={view} email={member.email} isAgain={member.dashboard === 'invited'} />
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {member.email ?? `ID ${member.user_id}`}
      </Text>
    </div>
  );
}

function RoleCell({ member, roles, changes }: { member: Member; roles: readonly Role[]; changes: Changes }) {
  if (member.role === 'cr_billing_admin') return <Text size="sm">{member.role_name}</Text>;
  const isListed = roles.some(({ value }) => value === member.role);
  return (
    <NativeSelect
      aria-label={`Role for ${member.username}`}
      size="xs"
      w={170}
      value={member.role}
      data={isListed ? [...roles] : [...roles, { value: member.role, label: member.role_name }]}
      onChange={(event) => changes.roles.mutate({ role: event.currentTarget.value, ids: [member.user_id] })}
    />
  );
}

function SeatCell({ member, changes }: { member: Member; changes: Changes }) {
  return (
    <Switch
      aria-label={`Seat for ${member.username}`}
      checked={member.seat_assigned}
      disabled={changes.seats.isPending}
      onChange={() =>
        changes.seats.mutate({ action: member.seat_assigned ? 'unassign' : 'assign', ids: [member.user_id] })
      }
    />
  );
}
