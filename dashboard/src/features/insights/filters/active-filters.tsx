import { Group, Pill, Text } from '@mantine/core';
import { humanize } from '../../../lib/format.ts';
import { useFilters } from '../../../lib/search.ts';
import { sourceName } from '../measures/source-name.ts';
import { unspecified } from '../measures/vocabulary.ts';
import { type FilterName, filterNames } from './insight-filters.ts';

/** Which filters are on; each can be removed. */
export function ActiveFilters({ names = {} }: { names?: Readonly<Partial<Record<FilterName, string>>> }) {
  const [search, change] = useFilters();
  const active = filterNames.filter((name) => search[name] !== undefined);
  if (active.length === 0) return null;
  return (
    <Group gap="xs" mb="md" role="group" aria-label="Filters">
      <Text size="sm" c="dimmed">
        Only
      </Text>
      {active.map((name) => (
        <Pill
          key={name}
          withRemoveButton
          removeButtonProps={{
            'aria-label': `Remove the filter ${humanize(name)}`,
            'aria-hidden': false,
            tabIndex: 0,
          }}
          onRemove={() => change({ [name]: undefined })}
        >
          {humanize(name)}: {names[name] ?? describe(name, search[name]!)}
        </Pill>
      ))}
    </Group>
  );
}

function describe(name: FilterName, value: string): string {
  if (name === 'source') return sourceName(value);
  if (name === 'severity' || name === 'category' || name === 'outcome')
    return value === unspecified.value ? unspecified.label : humanize(value);
  return value;
}
