import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { organizationSettings } from '../../../../src/capabilities/organization-settings/schemas.ts';
import { api } from '../../lib/api.ts';
import { maySeeRepositories, useRepositoryNames } from '../../lib/repositories.ts';
import type { View } from '../../lib/session.ts';

/**
 * Chooses a repository of an organization; the server searches, so that any of thousands is found. Renders nothing for a
 * workspace.
 */
export function RepositorySelect({
  view,
  value,
  onChange,
  required = false,
  label = 'Repository',
}: {
  view: View;
  value: string | undefined;
  onChange: (repositoryId: string | undefined) => void;
  required?: boolean;
  label?: string;
}) {
  const [search, setSearch] = useState('');
  const [typed] = useDebouncedValue(search.trim(), 200);
  const [chosen, setChosen] = useState<{ value: string; label: string }>();
  // After choosing, the field shows a name, which is no search text.
  const wanted = typed === chosen?.label ? '' : typed;
  const { data, isPending } = useQuery({
    queryKey: ['repositories', view.id, wanted],
    queryFn: () =>
      api<z.output<typeof organizationSettings>>('GET', 'settings', {
        scope: view,
        query: { search: wanted },
      }),
    enabled: maySeeRepositories(view),
    placeholderData: keepPreviousData,
  });
  // The URL only has its id.
  const name = useRepositoryNames(view, value === undefined ? [] : [value]).get(value ?? '');
  if (!maySeeRepositories(view)) return null;
  const found = (data?.repositories ?? []).map(({ repository_id, name }) => ({
    value: repository_id,
    label: name,
  }));
  const current =
    value === undefined ? undefined : chosen?.value === value ? chosen : { value, label: name ?? value };
  const options =
    current === undefined || found.some((option) => option.value === current.value)
      ? found
      : [...found, current];
  return (
    <Select
      label={label}
      placeholder={required ? 'Search by name' : 'All'}
      required={required}
      searchable
      clearable={!required}
      clearButtonProps={{ 'aria-label': 'Clear the repository filter' }}
      data={options}
      // The server has searched already.
      filter={({ options: all }) => all}
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={isPending ? 'Loading…' : 'No matching repositories'}
      value={value ?? null}
      onChange={(id, option) => {
        setChosen(id === null ? undefined : { value: id, label: option?.label ?? id });
        onChange(id ?? undefined);
      }}
    />
  );
}
