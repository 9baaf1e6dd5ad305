import { Badge, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import { usePages } from '../../components/lists/load-more.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import { PeopleFilters } from './people-filters.tsx';
import { PeopleTable } from './people-table.tsx';
import { DashboardCell, SeatCell } from './person-cells.tsx';
import { Seats } from './seats.tsx';
import type { Person, PersonPage } from './wire.ts';

const roles = [
  { value: 'admin', label: 'Workspace admins' },
  { value: 'member', label: 'Others' },
];

export function WorkspacePeople({ view }: { view: View }) {
  const [{ search, seat, role, sort }] = useFilters();
  const query = usePages<PersonPage>(['people', view.id, search, seat, role, sort], 'people', view, {
    search,
    seat,
    role,
    sort,
    limit: 100,
  });
  const columns = useMemo(() => columnsFor(view), [view]);
  const first = query.data?.pages[0];
  return (
    <>
      <PageTitle title="People" about={`Everyone in ${view.name}`} />
      {first && <Seats view={view} totals={first} />}
      <PeopleFilters roles={roles} total={first?.total} />
      <QueryState query={query}>
        {({ pages }) => {
          const people = pages.flatMap((page) => page.users);
          return people.length === 0 ? (
            <Empty title="No matching people">Change the filters.</Empty>
          ) : (
            <PeopleTable columns={columns} rows={people} total={first?.total} more={query} />
          );
        }}
      </QueryState>
    </>
  );
}

function columnsFor(view: View): Column<Person>[] {
  const nameOf = (orgId: string) => view.organizations.find(({ org_id }) => org_id === orgId)?.name ?? orgId;
  return [
    { label: 'Person', sort: 'name', cell: (person) => <PersonCell person={person} /> },
    {
      label: 'Accounts',
      cell: (person) => (
        <div>
          {person.accounts.map((account) => (
            <Text size="sm" key={`${account.org_id}/${account.user_id}`}>
              {nameOf(account.org_id)}{' '}
              <Text span c="dimmed">
                as {account.username}
              </Text>
            </Text>
          ))}
        </div>
      ),
    },
    {
      label: 'Seat',
      cell: ({ user_id, email, seat_assigned }) => (
        <SeatCell view={view} id={user_id} label={email} isAssigned={seat_assigned} />
      ),
    },
    {
      label: 'Dashboard',
      cell: (person) => <DashboardCell view={view} person={person} isMember={person.accounts.length > 0} />,
    },
  ];
}

function PersonCell({ person }: { person: Person }) {
  return (
    <div>
      <Group gap="xs">
        <Text fw={600}>{person.name}</Text>
        {person.workspace_role === 'admin' && <Badge>Workspace admin</Badge>}
      </Group>
      <Text size="xs" c="dimmed">
        {person.email}
      </Text>
    </div>
  );
}
