import { Button, Checkbox, Group, Select, Switch, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { z } from 'zod';
import type { userPage } from '../../../../src/capabilities/people/schemas.ts';
import { useAction } from '../../components/action.ts';
import { LoadMore, usePages } from '../../components/load-more.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { TableRegion } from '../../components/table-region.tsx';
import { api } from '../../lib/api.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import { type BatchResult, describeBatch, PeopleFilters, Seats } from './seats.tsx';

type UserPage = z.output<typeof userPage>;
type User = UserPage['users'][number];

const roleOptions = [
  { value: 'cr_admin', label: 'Admin' },
  { value: 'cr_member', label: 'Member' },
];

export function OrganizationPeople({ view }: { view: View }) {
  const [{ seat, role }] = useFilters();
  const query = usePages<UserPage>(['users', view.id, seat, role], 'users', view, {
    seat_filter: seat,
    role_filter: role,
  });
  return (
    <>
      <PageTitle title="People" about={`Members of ${view.name}, their seats and roles`}>
        <PeopleFilters />
      </PageTitle>
      <QueryState query={query}>
        {({ pages }) => {
          const users = pages.flatMap((page) => page.users);
          return (
            <>
              <Seats view={view} totals={pages[0]!} />
              {users.length === 0 ? (
                <Empty title="No matching people">
                  Change the filters, or add members with <code>postil apply</code>.
                </Empty>
              ) : (
                <UserTable view={view} users={users} />
              )}
              <LoadMore query={query} />
            </>
          );
        }}
      </QueryState>
    </>
  );
}

function UserTable({ view, users }: { view: View; users: readonly User[] }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const invalidates = [['users', view.id], ['session']];
  const assign = useAction(
    ({ action, ids }: { action: 'assign' | 'unassign'; ids: string[] }) =>
      api<BatchResult>('POST', 'users/seats', { scope: view, body: { action, user_ids: ids } }),
    { invalidates, done: describeBatch },
  );
  const changeRole = useAction(
    ({ role, ids }: { role: string; ids: string[] }) =>
      api<BatchResult>('POST', 'users/roles', { scope: view, body: { role, user_ids: ids } }),
    { invalidates, done: describeBatch },
  );
  const ids = users.map(({ user_id }) => user_id).filter((id) => selected.has(id));
  function toggle(id: string) {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  }
  return (
    <>
      <Group gap="xs" mb="sm" mih={36}>
        <Text size="sm" role="status">
          {ids.length === 0 ? 'Select people to edit them in bulk' : `${ids.length} selected`}
        </Text>
        {ids.length > 0 && (
          <>
            <Button size="xs" variant="default" onClick={() => assign.mutate({ action: 'assign', ids })}>
              Assign seats
            </Button>
            <Button size="xs" variant="default" onClick={() => assign.mutate({ action: 'unassign', ids })}>
              Unassign seats
            </Button>
            <Button size="xs" variant="default" onClick={() => changeRole.mutate({ role: 'cr_admin', ids })}>
              Make admin
            </Button>
            <Button size="xs" variant="default" onClick={() => changeRole.mutate({ role: 'cr_member', ids })}>
              Make member
            </Button>
          </>
        )}
      </Group>
      <TableRegion label="People" minWidth={640} columns={['.Select', 'Person', 'Role', 'Seat']}>
        {users.map((user) => (
          <Table.Tr key={user.user_id}>
            <Table.Td w={44}>
              <Checkbox
                aria-label={`Select ${user.username}`}
                checked={selected.has(user.user_id)}
                onChange={() => toggle(user.user_id)}
              />
            </Table.Td>
            <Table.Td>
              <Text fw={600}>{user.username}</Text>
              <Text size="xs" c="dimmed">
                {user.email ?? `ID ${user.user_id}`}
              </Text>
            </Table.Td>
            <Table.Td>
              <RoleSelect user={user} onChange={(role) => changeRole.mutate({ role, ids: [user.user_id] })} />
            </Table.Td>
            <Table.Td>
              <Switch
                aria-label={`Seat for ${user.username}`}
                checked={user.seat_assigned}
                disabled={assign.isPending}
                onChange={() =>
                  assign.mutate({ action: user.seat_assigned ? 'unassign' : 'assign', ids: [user.user_id] })
                }
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </TableRegion>
    </>
  );
}

function RoleSelect({ user, onChange }: { user: User; onChange: (role: string) => void }) {
  const isProtected = user.role === 'cr_billing_admin';
  if (isProtected) return <Text size="sm">{user.role_name}</Text>;
  const isAssignable = roleOptions.some(({ value }) => value === user.role);
  return (
    <Select
      aria-label={`Role for ${user.username}`}
      size="xs"
      w={170}
      value={user.role}
      allowDeselect={false}
      data={
        isAssignable
          ? roleOptions
          : [...roleOptions, { value: user.role, label: user.role_name, disabled: true }]
      }
      onChange={(role) => role !== null && role !== user.role && onChange(role)}
    />
  );
}
