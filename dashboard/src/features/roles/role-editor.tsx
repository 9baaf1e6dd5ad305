import { Button, Checkbox, Group, Paper, Stack, Switch, Table, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import type { z } from 'zod';
import type { roleList } from '../../../../src/capabilities/roles/schemas.ts';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { api } from '../../lib/api.ts';
import { humanize } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { accessTypes, resources } from './permissions.ts';

export type Role = z.output<typeof roleList>['roles'][number];

/** One role: its name and a grid of its permissions. Built-in roles are read-only. */
export function RoleEditor({ view, role }: { view: View; role: Role }) {
  const mayChange = view.isAdmin && role.type === 'custom';
  const [name, setName] = useState(role.name);
  const [isDefault, setDefault] = useState(role.is_default);
  const [granted, setGranted] = useState<ReadonlySet<string>>(
    () => new Set(role.permissions?.map(({ resource_id, access_type }) => `${resource_id}:${access_type}`)),
  );
  const invalidates = [['roles', view.id], ['session']];
  const save = useAction(
    () =>
      api('PATCH', `roles/${role.id}`, {
        scope: view,
        body: {
          name,
          is_default: isDefault,
          permissions: [...granted].map((permission) => {
            const [resource_id, access_type] = permission.split(':');
            return { resource_id, access_type };
          }),
        },
      }),
    { invalidates, done: 'Role saved' },
  );
  const remove = useAction(() => api('DELETE', `roles/${role.id}`, { scope: view }), {
    invalidates,
    done: 'Role deleted',
  });
  function toggle(permission: string) {
    const next = new Set(granted);
    if (!next.delete(permission)) next.add(permission);
    setGranted(next);
  }
  return (
    <Paper withBorder p="md" component="section" aria-label={`Role ${role.name}`}>
      <Stack>
        {mayChange ? (
          <>
            <TextInput
              label="Name"
              value={name}
              maxLength={255}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Switch
              label="New members get this role"
              checked={isDefault}
              onChange={(event) => setDefault(event.currentTarget.checked)}
            />
          </>
        ) : (
          <div>
            <Title order={2}>{role.name}</Title>
            <Text c="dimmed" size="sm">
              {role.description}
            </Text>
          </div>
        )}
        <Table.ScrollContainer
          type="native"
          minWidth={380}
          tabIndex={0}
          role="region"
          aria-label="Permissions"
        >
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Resource</Table.Th>
                {accessTypes.map((type) => (
                  <Table.Th key={type} ta="center">
                    {humanize(type)}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {resources.map((resource) => (
                <Table.Tr key={resource}>
                  <Table.Th scope="row" fw={400}>
                    {humanize(resource)}
                  </Table.Th>
                  {accessTypes.map((type) => {
                    const permission = `${resource}:${type}`;
                    return (
                      <Table.Td key={type}>
                        <Group justify="center">
                          <Checkbox
                            aria-label={`${humanize(resource)}: ${type}`}
                            checked={granted.has(permission)}
                            disabled={!mayChange}
                            onChange={() => toggle(permission)}
                          />
                        </Group>
                      </Table.Td>
                    );
                  })}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        {mayChange && (
          <Group justify="space-between">
            <Button
              loading={save.isPending}
              disabled={name.trim() === ''}
              onClick={() => save.mutate(undefined)}
            >
              Save role
            </Button>
            <ConfirmButton
              variant="default"
              question={`Delete “${role.name}”?`}
              consequence="A role that is in use cannot be deleted; assign those people another role first."
              confirm="Delete"
              onConfirm={() => remove.mutate(undefined)}
            >
              Delete role
            </ConfirmButton>
          </Group>
        )}
        {!mayChange && (
          <Text size="sm" c="dimmed">
            {role.type === 'system'
              ? 'Built-in roles cannot be changed; create a copy instead.'
              : 'Only admins can change roles.'}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
