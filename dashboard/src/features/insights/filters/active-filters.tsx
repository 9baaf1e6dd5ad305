import { Group, Pill, Text } from '@mantine/core';
import { humanize } from '../../../lib/format.ts';
import { useFilters } from '../../../lib/search.ts';
import { useChosenNames } from './chosen-names.ts';
import { filterNames } from './insight-filters.ts';

/** The active filters; each can be removed. */
export function ActiveFilters() {
  const [search, change] = useFilters();
  const nameChosen = useChosenNames();
  const active = filterNames.filter((name) => search[name] !== undefined);
  if (active.length === 0) return null;
  return (
    <Group gap="xs" mb="md" role="group" aria-label="Filters">
      <Text size="sm" c="dimmed">
        Filters:
      </Text>
      {active.map((name) => (
        <Pill
          key={name}
          withRemoveButton
          removeButtonProps={{
            'aria-label': `Remove filter: ${humanize(name)}`,
            'aria-hidden': false,
            tabIndex: 0,
          }}
          onRemove={() => change({ [name]: undefined })}
        >
          {humanize(name)}: {nameChosen(name)}
        </Pill>
      ))}
    </Group>
  );
}
