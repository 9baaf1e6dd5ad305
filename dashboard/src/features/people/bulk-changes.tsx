import { Button, Group, Select, Text } from '@mantine/core';
import { type Selection, useSelectedIds } from '../../components/lists/selection.tsx';
import { formatNumber } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { useRoleChange, useSeatChange } from './member-changes.ts';
import type { Choice } from './people-filters.tsx';

/** Actions on all selected people. Always shown, so that the first tick does not shift the table. */
export function BulkChanges({
  view,
  selection,
  loaded,
  roles,
}: {
  view: View;
  selection: Selection;
  /** The ids of everybody who has been loaded. */
  loaded: readonly string[];
  roles: readonly Choice[];
}) {
  const ids = [...useSelectedIds(selection)];
  const seats = useSeatChange(view);
  const role = useRoleChange(view);
  const button = { size: 'xs', variant: 'default', disabled: ids.length === 0 } as const;
  return (
    <Group gap="xs" mb="sm">
      <Text role="status" miw={90}>
        {formatNumber(ids.length)} selected
      </Text>
      <Button {...button} disabled={false} onClick={() => selection.replace(loaded)}>
        Select {formatNumber(loaded.length)} loaded
      </Button>
      <Button {...button} onClick={() => selection.replace([])}>
        Clear
      </Button>
      <Button {...button} onClick={() => seats.mutate({ action: 'assign', ids })}>
        Assign seats
      </Button>
      <Button {...button} onClick={() => seats.mutate({ action: 'unassign', ids })}>
        Unassign seats
      </Button>
      <Select
        size="xs"
        w={170}
        aria-label="Give a role to the selected people"
        placeholder="Give a role"
        disabled={ids.length === 0}
        data={[...roles]}
        value={null}
        onChange={(value) => value !== null && role.mutate({ role: value, ids })}
      />
    </Group>
  );
}
