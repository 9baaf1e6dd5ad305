import { Badge, Group, NavLink, Paper, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { roleList } from '../../../../src/capabilities/roles/schemas.ts';
import { PageTitle, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import { useView } from '../../lib/session.ts';
import { CreateRole } from './create-role.tsx';
import { RoleEditor } from './role-editor.tsx';

type Roles = z.output<typeof roleList>;

/** Built-in and custom roles, and their permissions. */
export default function RolesPage() {
  const view = useView();
  const [{ role: chosen }, change] = useFilters();
  const query = useQuery({
    queryKey: ['roles', view.id],
    queryFn: () => api<Roles>('GET', 'roles', { scope: view, query: { include_permissions: 'true' } }),
  });
  return (
    <>
      <PageTitle title="Roles" about="What each role can do in this organization">
        {view.isAdmin && query.data && <CreateRole view={view} roles={query.data.roles} />}
      </PageTitle>
      <QueryState query={query}>
        {({ roles }) => {
          const role = roles.find(({ id }) => id === chosen) ?? roles[0]!;
          // Resets the editor when the role is changed, also by others, but not when its number of people changes.
          const editorKey = JSON.stringify({ ...role, user_count: null });
          return (
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
              <Paper withBorder p="sm" component="section" aria-label="Roles">
                <Stack gap="xxs">
                  {roles.map(({ id, name, type, user_count, is_default }) => (
                    <NavLink
                      key={id}
                      component="button"
                      type="button"
                      active={id === role.id}
                      aria-pressed={id === role.id}
                      label={name}
                      description={`${user_count === 1 ? '1 person' : `${formatNumber(user_count ?? 0)} people`}`}
                      onClick={() => change({ role: id })}
                      variant="light"
                      style={{ borderRadius: 8 }}
                      styles={{ description: { opacity: 1 } }}
                      rightSection={
                        <Group gap="xxs">
                          {is_default && <Badge>Default</Badge>}
                          <Badge color="gray">{type === 'system' ? 'Built in' : 'Custom'}</Badge>
                        </Group>
                      }
                    />
                  ))}
                </Stack>
              </Paper>
              <RoleEditor key={editorKey} view={view} role={role} />
            </SimpleGrid>
          );
        }}
      </QueryState>
    </>
  );
}
