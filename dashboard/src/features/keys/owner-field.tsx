import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import type { MemberPage, PersonPage } from '../people/wire.ts';

type Page = MemberPage | PersonPage;
type Candidate = { value: string; label: string };

const maxShown = 50;

function candidateOf(user: Page['users'][number]): Candidate {
  if ('name' in user) return { value: user.email, label: `${user.name} (${user.email})` };
  return {
    value: user.user_id,
    label: user.email === null ? user.username : `${user.username} (${user.email})`,
  };
}

/** The first people who can own a key or token, and whose name or address contains the search text. */
async function findCandidates(view: View, search: string) {
  const role = view.kind === 'workspace' ? 'admin' : undefined;
  const page = await api<Page>('GET', 'people', { scope: view, query: { search, role, limit: maxShown } });
  return { candidates: page.users.map(candidateOf), isComplete: page.next_cursor === null };
}

/** Selects the owner by name; if the people cannot be listed, an id or email address is typed instead. */
export function OwnerField({
  view,
  value,
  onChange,
  ...inputProps
}: {
  view: View;
  value: string;
  onChange: (value: string) => void;
  required: boolean;
  description: string;
  error: string | undefined;
}) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Candidate>();
  const [typed] = useDebouncedValue(search.trim(), 200);
  // After choosing, the field shows a label, which is no search text.
  const wanted = typed === chosen?.label ? '' : typed;
  const { data, isError, isPending } = useQuery({
    queryKey: ['people', view.id, 'owners', wanted],
    queryFn: () => findCandidates(view, wanted),
    placeholderData: keepPreviousData,
  });
  const isWorkspace = view.kind === 'workspace';
  if (isError)
    return (
      <TextInput
        label={isWorkspace ? 'Owner: email address of a workspace admin' : 'Owner: user id of a member'}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...inputProps}
      />
    );
  const { candidates, isComplete } = data ?? { candidates: [], isComplete: true };
  const isMissing = chosen !== undefined && !candidates.some((candidate) => candidate.value === chosen.value);
  const offered = isMissing ? [...candidates, chosen] : candidates;
  return (
    <Select
      label={isWorkspace ? 'Owner: an admin of the workspace' : 'Owner'}
      placeholder={isPending ? 'Loading…' : 'Search by name'}
      data={
        isComplete
          ? offered
          : [...offered, { value: '', label: 'Type more of the name to see more people', disabled: true }]
      }
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // The server has searched already.
      filter={({ options }) => options}
      clearable={!inputProps.required}
      nothingFoundMessage={isPending ? 'Loading…' : 'No matching people'}
      value={value === '' ? null : value}
      onChange={(id, option) => {
        setChosen(id === null ? undefined : { value: id, label: option?.label ?? id });
        onChange(id ?? '');
      }}
      {...inputProps}
    />
  );
}
