import { Select } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { findView, type Session, type View } from '../lib/session.ts';
import { pages } from './pages.tsx';

function optionsOf(session: Session) {
  const grouped = session.workspaces.map((workspace) => ({
    group: workspace.name,
    items: [
      { value: `workspaces/${workspace.id}`, label: `${workspace.name} (all)` },
      ...session.organizations
        .filter(({ workspace_id }) => workspace_id === workspace.id)
        .map(({ id, name }) => ({ value: `organizations/${id}`, label: name })),
    ],
  }));
  const workspaceIds = new Set(session.workspaces.map(({ id }) => id));
  const others = session.organizations.filter(
    ({ workspace_id }) => workspace_id === null || !workspaceIds.has(workspace_id),
  );
  const rest = others.map(({ id, name }) => ({ value: `organizations/${id}`, label: name }));
  return rest.length === 0 ? grouped : [...grouped, { group: 'Organizations', items: rest }];
}

/** Switches to another organization or workspace, staying on the current page if it is available there. */
export function ViewSelect({ session, view }: { session: Session; view: View | undefined }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  function choose(value: string | null) {
    if (value === null) return;
    const [kind, id] = value.split('/') as [string, string];
    const chosen = findView(session, kind, id)!;
    const currentPage = pages.find(
      ({ path, isAvailable }) => pathname.split('/')[3] === path && isAvailable(chosen),
    );
    void navigate({
      to: (currentPage === undefined ? `/${value}` : `/${value}/${currentPage.path}`) as never,
    });
  }
  return (
    <Select
      aria-label="Organization or workspace"
      data={optionsOf(session)}
      value={view === undefined ? null : `${view.kind}s/${view.id}`}
      onChange={choose}
      searchable
      allowDeselect={false}
      maxDropdownHeight={400}
      nothingFoundMessage="No matches"
      placeholder="Choose a place"
      w={{ base: 190, sm: 280 }}
      comboboxProps={{ withinPortal: true }}
    />
  );
}
