import { Group, NativeSelect } from '@mantine/core';
import { humanize } from '../../../lib/format.ts';
import { useFilters } from '../../../lib/search.ts';
import { outcomes } from '../measures/outcomes.ts';
import { categoryOptions, severityOptions } from '../measures/vocabulary.ts';
import { ActiveFilters } from './active-filters.tsx';
import type { FilterName } from './insight-filters.ts';

const outcomeOptions = outcomes.map(({ name, label }) => ({ value: name, label }));

/** Filters by what comments are like; those by repository, author and reviewer are set by links, and shown here. */
export function FilterBar({ names }: { names?: Readonly<Partial<Record<FilterName, string>>> }) {
  return (
    <>
      <Group gap="sm" mb="md">
        <Choice name="severity" options={severityOptions} />
        <Choice name="category" options={categoryOptions} />
        <Choice name="outcome" options={outcomeOptions} />
      </Group>
      <ActiveFilters {...(names !== undefined && { names })} />
    </>
  );
}

function Choice({
  name,
  options,
}: {
  name: FilterName;
  options: readonly { value: string; label: string }[];
}) {
  const [search, change] = useFilters();
  return (
    <NativeSelect
      label={humanize(name)}
      value={search[name] ?? ''}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      data={[{ value: '', label: 'All' }, ...options]}
    />
  );
}
