import { Group, NativeSelect } from '@mantine/core';
import { humanize } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import { ActiveFilters } from './active-filters.tsx';
import type { FilterName } from './insight-filters.ts';

const severities = ['critical', 'major', 'minor', 'trivial', 'info', 'none'];
const categories = [
  'data_integrity_and_integration',
  'functional_correctness',
  'maintainability_and_code_quality',
  'performance_and_scalability',
  'security_and_privacy',
  'stability_and_availability',
  'none',
];
const outcomes = ['accepted', 'not_accepted', 'unknown'];

/** Filters by what comments are like; those by repository, author and reviewer are set by links, and shown here. */
export function FilterBar({ names }: { names?: Readonly<Partial<Record<FilterName, string>>> }) {
  return (
    <>
      <Group gap="sm" mb="md">
        <Choice name="severity" options={severities} />
        <Choice name="category" options={categories} />
        <Choice name="outcome" options={outcomes} />
      </Group>
      <ActiveFilters {...(names !== undefined && { names })} />
    </>
  );
}

function Choice({ name, options }: { name: FilterName; options: readonly string[] }) {
  const [search, change] = useFilters();
  return (
    <NativeSelect
      label={humanize(name)}
      value={search[name] ?? ''}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      data={[
        { value: '', label: 'All' },
        ...options.map((value) => ({ value, label: value === 'none' ? 'Unspecified' : humanize(value) })),
      ]}
    />
  );
}
