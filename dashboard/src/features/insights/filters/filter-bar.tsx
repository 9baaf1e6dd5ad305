import { NativeSelect } from '@mantine/core';
import { FilterGrid } from '../../../components/filters/filter-grid.tsx';
import { humanize } from '../../../lib/format.ts';
import { useFilters } from '../../../lib/search.ts';
import { outcomes } from '../measures/outcomes.ts';
import { categoryOptions, severityOptions } from '../measures/vocabulary.ts';
import { ActiveFilters } from './active-filters.tsx';
import { ChoiceSearch } from './choice-search.tsx';
import type { FilterName } from './insight-filters.ts';

const searched = ['repository', 'author', 'team', 'source'] as const;
const outcomeOptions = outcomes.map(({ name, label }) => ({ value: name, label }));

/** The filters for pull requests, and for the comments on them. */
export function FilterBar() {
  return (
    <>
      <FilterGrid>
        {searched.map((name) => (
          <ChoiceSearch key={name} name={name} />
        ))}
        <Choice name="severity" options={severityOptions} />
        <Choice name="category" options={categoryOptions} />
        <Choice name="outcome" options={outcomeOptions} />
      </FilterGrid>
      <ActiveFilters />
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
