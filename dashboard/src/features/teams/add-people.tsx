import { Button, Group, MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { type SearchedOption, searchedOptions } from '../../lib/searched-options.ts';
import type { View } from '../../lib/session.ts';
import type { MemberPage } from '../people/wire.ts';
import { useMembershipChange } from './team-changes.ts';

const searchPauseMs = 200;
/** The server takes at most this many at once. */
const maxPeople = 500;

/** Adds people to a team; the server searches among all members of the organization. */
export function AddPeople({ view, teamId }: { view: View; teamId: string }) {
  const [chosen, setChosen] = useState<readonly SearchedOption[]>([]);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), searchPauseMs);
  const { data, isPending } = useQuery({
    queryKey: ['people', view.id, 'to-choose', search],
    queryFn: () => api<MemberPage>('GET', 'people', { scope: view, query: { search, limit: 50 } }),
    placeholderData: keepPreviousData,
  });
  const found = (data?.users ?? []).map(({ user_id, username, email }) => ({
    value: user_id,
    label: email === null ? username : `${username} (${email})`,
  }));
  const ids = new Set(found.map(({ value }) => value));
  const kept = chosen.filter(({ value }) => !ids.has(value));
  const options = searchedOptions([...found, ...kept], {
    hasMore: data?.next_cursor != null,
    whenEmpty: isPending ? 'Loading…' : 'Nobody matches',
  });
  const change = useMembershipChange(view, teamId);
  function add() {
    change.mutate({ add: chosen.map(({ value }) => value) }, { onSuccess: () => setChosen([]) });
  }
  return (
    <Group align="flex-end" gap="xs">
      <MultiSelect
        label="Add people"
        placeholder="Search by name or address"
        style={{ flex: 1, minWidth: 220 }}
        searchable
        maxValues={maxPeople}
        data={options}
        // The server has searched already.
        filter={({ options: all }) => all}
        searchValue={typed}
        onSearchChange={setTyped}
        value={chosen.map(({ value }) => value)}
        onChange={(values) => {
          const known = new Map([...options, ...chosen].map((option) => [option.value, option]));
          setChosen(values.flatMap((value) => known.get(value) ?? []));
        }}
      />
      <Button disabled={chosen.length === 0} loading={change.isPending} onClick={add}>
        Add
      </Button>
    </Group>
  );
}
