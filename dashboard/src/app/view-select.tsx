import { type ComboboxParsedItem, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../lib/api.ts';
import { searchedOptions } from '../lib/searched-options.ts';
import { findView, type Places, type Session, sessionQuery, type View } from '../lib/session.ts';
import { pages } from './pages.tsx';

const searchPauseMs = 200;

const pathOf = (view: View) => `${view.kind}s/${view.id}`;
const labelOf = (view: View) => (view.kind === 'workspace' ? `${view.name} (all)` : view.name);

function optionsOf(places: Places) {
  const grouped = places.workspaces.map((workspace) => ({
    group: workspace.name,
    items: [
      { value: `workspaces/${workspace.id}`, label: `${workspace.name} (all)` },
      ...places.organizations
        .filter(({ workspace_id }) => workspace_id === workspace.id)
        .map(({ id, name }) => ({ value: `organizations/${id}`, label: name })),
    ],
  }));
  const workspaceIds = new Set(places.workspaces.map(({ id }) => id));
  const others = places.organizations.filter(
    ({ workspace_id }) => workspace_id === null || !workspaceIds.has(workspace_id),
  );
  const rest = others.map(({ id, name }) => ({ value: `organizations/${id}`, label: name }));
  return rest.length === 0 ? grouped : [...grouped, { group: 'Organizations', items: rest }];
}

/** If the session lists only the first of many places, the server searches all of them. */
function useFoundPlaces(session: Session, view: View | undefined, typed: string) {
  const [paused] = useDebouncedValue(typed.trim(), searchPauseMs);
  // After choosing, the field shows a name, which is no search text.
  const search = view !== undefined && paused === labelOf(view) ? '' : paused;
  const { data, isError } = useQuery({
    queryKey: [...sessionQuery.queryKey, 'search', search],
    queryFn: () => api<Places>('GET', 'places', { query: { search } }),
    enabled: session.has_more && search !== '',
    placeholderData: keepPreviousData,
  });
  if (!session.has_more || search === '') return { places: session, whenEmpty: 'No matches' };
  const whenEmpty = isError ? 'Could not be loaded' : data === undefined ? 'Loading…' : 'No matches';
  return { places: data ?? { workspaces: [], organizations: [], has_more: false }, whenEmpty };
}

/** Switches to another organization or workspace, staying on the current page if it is available there. */
export function ViewSelect({ session, view }: { session: Session; view: View | undefined }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [typed, setTyped] = useState('');
  const { places, whenEmpty } = useFoundPlaces(session, view, typed);
  function choose(value: string | null) {
    const [kind, id] = (value ?? '').split('/') as [string, string];
    const chosen = findView(places, kind, id);
    if (chosen === undefined) return;
    const currentPage = pages.find(
      ({ path, isAvailable }) => pathname.split('/')[3] === path && isAvailable(chosen),
    );
    void navigate({
      to: (currentPage === undefined ? `/${value}` : `/${value}/${currentPage.path}`) as never,
    });
  }
  // The selector needs the option of the chosen view even if a search has not found it. In that case, it is not listed.
  const isListed = view === undefined || findView(places, `${view.kind}s`, view.id) !== undefined;
  const unlisted = isListed ? [] : [{ value: pathOf(view), label: labelOf(view) }];
  const searched = {
    searchValue: typed,
    onSearchChange: setTyped,
    data: [...unlisted, ...searchedOptions(optionsOf(places), { hasMore: places.has_more, whenEmpty })],
    // The server has searched already.
    filter: ({ options }: { options: ComboboxParsedItem[] }) => options.slice(unlisted.length),
  };
  return (
    <Select
      aria-label="Organization or workspace"
      {...(session.has_more ? searched : { data: optionsOf(session) })}
      value={view === undefined ? null : pathOf(view)}
      onChange={choose}
      searchable
      allowDeselect={false}
      nothingFoundMessage="No matches"
      placeholder="Choose an organization"
      w={{ base: 150, sm: 280 }}
      comboboxProps={{ withinPortal: true }}
    />
  );
}
