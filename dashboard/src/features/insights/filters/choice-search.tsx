import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { choicePage } from '../../../../../src/capabilities/insights/schemas.ts';
import { api } from '../../../lib/api.ts';
import { useFilters } from '../../../lib/search.ts';
import { searchedOptions } from '../../../lib/searched-options.ts';
import { useView, type View } from '../../../lib/session.ts';
import { sourceName } from '../measures/source-name.ts';
import { noTeam } from '../measures/vocabulary.ts';
import { useChosenNames } from './chosen-names.ts';
import { queryOf, useInsightFilters } from './insight-filters.ts';

type ChoicePage = z.output<typeof choicePage>;
export type ChoiceName = 'repository' | 'author' | 'team' | 'source';

const labels = { repository: 'Repository', author: 'Author', team: 'Team', source: 'Reviewer' };
const searchPauseMs = 200;

function labelOf(
  name: ChoiceName,
  { id, name: given, organization }: ChoicePage['data'][number],
  view: View,
) {
  if (name === 'source') return sourceName(id);
  const label = given ?? noTeam.label;
  const place = view.kind === 'workspace' && view.organizations.find((one) => one.id === organization);
  return place ? `${label} (${place.name})` : label;
}

/**
 * A filter with possibly thousands of values: the server searches those that occur in the window with the other filters. If more
 * values match than are shown, the list says so.
 */
export function ChoiceSearch({ name }: { name: ChoiceName }) {
  const view = useView();
  const [{ [name]: value }, change] = useFilters();
  const { [name]: _, ...others } = useInsightFilters();
  const nameChosen = useChosenNames();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [paused] = useDebouncedValue(typed.trim(), searchPauseMs);
  const current = value === undefined ? undefined : { value, label: nameChosen(name) };
  // After choosing, the field shows a name, which is no search text.
  const wanted = paused === current?.label ? '' : paused;
  // There are few reviewers, and the server does not know their display names, so it returns all of them.
  const searched = name === 'source' ? undefined : wanted;
  const { data, isPending, isError } = useQuery({
    queryKey: ['insight-choices', view.id, name, others, searched],
    queryFn: () =>
      api<ChoicePage>('GET', 'insights/choices', {
        scope: view,
        query: { ...queryOf(others), of: name, search: searched },
      }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const found = (data?.data ?? [])
    .map((choice) => ({ value: choice.id, label: labelOf(name, choice, view) }))
    .filter(({ label }) => searched !== undefined || label.toLowerCase().includes(wanted.toLowerCase()));
  const isListed = current === undefined || found.some((option) => option.value === current.value);
  const nothing = isError ? 'Could not be loaded' : isPending ? 'Loading…' : 'Nothing in this period matches';
  return (
    <Select
      label={labels[name]}
      placeholder="All"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear the ${labels[name].toLowerCase()} filter` }}
      data={searchedOptions(isListed ? found : [...found, current], {
        hasMore: data?.next_cursor != null,
        whenEmpty: nothing,
      })}
      // The server has searched already.
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      value={value ?? null}
      onChange={(id) => change({ [name]: id ?? undefined })}
    />
  );
}
