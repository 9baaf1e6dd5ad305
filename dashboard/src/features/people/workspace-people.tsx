import { Badge, Group, Switch, Text } from '@mantine/core';
import { useAction } from '../../components/action.ts';
import type { Column } from '../../components/data-table.tsx';
import { usePages } from '../../components/load-more.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import { InviteButton } from './invite-button.tsx';
import { PeopleFilters } from './people-filters.tsx';
import { PeopleTable } from './people-table.tsx';
import { Seats } from './seats.tsx';
import { type BatchResult, describeBatch, type Person, type PersonPage } from './wire.ts';

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
  const assign = useAction(
    ({ action, id }: { action: 'assign' | 'unassign'; id: string }) =>
      api<BatchResult>('POST', 'users/seats', { scope: view, body: { action, members: [{ user_id: id }] } }),
    { invalidates: [['people', view.id]], done: describeBatch },
  );
  const nameOf = (orgId: string) => view.organizations.find(({ org_id }) => org_id === orgId)?.name ?? orgId;
  const columns: Column<Person>[] = [
    { label: 'Person', sort: 'name', cell: (person) => <PersonCell view={view} person={person} /> },
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
      cell: (person) => (
        <Switch
          aria-label={`Seat for ${person.email}`}
          checked={person.seat_assigned}
          disabled={assign.isPending}
          onChange={() =>
            assign.mutate({ action: person.seat_assigned ? 'unassign' : 'assign', id: person.user_id })
          }
        />
      ),
    },
  ];
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

function PersonCell({ view, person }: { view: View; person: Person }) {
  return (
    <div>
      <Group gap="xs">
        <Text fw={600}>{person.name}</Text>
        {person.workspace_role === 'admin' && (
          <Badge size="xs" variant="outline">
            Workspace admin
          </Badge>
        )}
        {person.accounts.length > 0 && person.workspace_role !== 'admin' && (
          <InviteButton view={view} email={person.email} isAgain={false} />
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {person.email}
      </Text>
    </div>
  );
}
