import { Select } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../components/action.ts';
import { NameForm } from '../../components/name-form.tsx';
import { api } from '../../lib/api.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import type { Role } from './role-editor.tsx';

/** Creates a custom role as a copy of another one. */
export function CreateRole({ view, roles }: { view: View; roles: readonly Role[] }) {
  const [, change] = useFilters();
  const [from, setFrom] = useState('cr_member');
  const create = useAction(
    (name: string) => api<Role>('POST', 'roles', { scope: view, body: { name, duplicate_from: from } }),
    { invalidates: [['roles', view.id]], done: 'Role created' },
  );
  return (
    <NameForm
      action="Create role"
      isPending={create.isPending}
      onSubmit={(name, onDone) =>
        create.mutate(name, {
          onSuccess(role) {
            onDone();
            change({ role: role.id });
          },
        })
      }
    >
      <Select
        label="Copy permissions from"
        value={from}
        allowDeselect={false}
        data={roles.map((role) => ({ value: role.id, label: role.name }))}
        onChange={(value) => setFrom(value ?? from)}
      />
    </NameForm>
  );
}
