import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { personPage, userPage } from '../../../../src/capabilities/people/schemas.ts';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';

type Page = z.output<typeof userPage> | z.output<typeof personPage>;
type Candidate = { value: string; label: string };

const maxPages = 5;

function candidateOf(user: Page['users'][number]): Candidate {
  if ('name' in user) return { value: user.email, label: `${user.name} (${user.email})` };
  return {
    value: user.user_id,
    label: user.email === null ? user.username : `${user.username} (${user.email})`,
  };
}

/** The people who can own a key or token: the first few hundred, and whether that is all of them. */
async function readCandidates(view: View): Promise<{ candidates: Candidate[]; isComplete: boolean }> {
  const candidates: Candidate[] = [];
  const role_filter = view.kind === 'workspace' ? 'admin' : undefined;
  let cursor: string | undefined;
  for (let count = 0; count < maxPages; count++) {
    const page = await api<Page>('GET', 'users', { scope: view, query: { role_filter, cursor } });
    candidates.push(...page.users.map(candidateOf));
    if (page.next_cursor === null) return { candidates, isComplete: true };
    cursor = page.next_cursor;
  }
  return { candidates, isComplete: false };
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
  const { data, isError, isPending } = useQuery({
    queryKey: ['users', view.id, 'owners'],
    queryFn: () => readCandidates(view),
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
  const typed = search.trim();
  const isTypedId =
    !isComplete &&
    typed !== '' &&
    !candidates.some(({ value: id, label }) => id === typed || label === typed);
  return (
    <Select
      label={isWorkspace ? 'Owner: an admin of the workspace' : 'Owner'}
      placeholder={isPending ? 'Loading…' : 'Search by name'}
      data={isTypedId ? [...candidates, { value: typed, label: typed }] : candidates}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      clearable={!inputProps.required}
      limit={50}
      nothingFoundMessage={isPending ? 'Loading…' : 'No matching people'}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
      {...inputProps}
    />
  );
}
