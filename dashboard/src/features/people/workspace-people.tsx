import { Badge, Switch, Table, Text } from '@mantine/core';
import type { z } from 'zod';
import type { personPage } from '../../../../src/capabilities/people/schemas.ts';
import { useAction } from '../../components/action.ts';
import { LoadMore, usePages } from '../../components/load-more.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { TableRegion } from '../../components/table-region.tsx';
import { api } from '../../lib/api.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import { type BatchResult, describeBatch, PeopleFilters, Seats } from './seats.tsx';

type PersonPage = z.output<typeof personPage>;

export function WorkspacePeople({ view }: { view: View }) {
  const [{ seat, role }] = useFilters();
  const query = usePages<PersonPage>(['users', view.id, seat, role], 'users', view, {
    seat_filter: seat,
    role_filter: role,
  });
  const assign = useAction(
    ({ action, id }: { action: 'assign' | 'unassign'; id: string }) =>
      api<BatchResult>('POST', 'users/seats', { scope: view, body: { action, members: [{ user_id: id }] } }),
    { invalidates: [['users', view.id]], done: describeBatch },
  );
  const nameOf = (orgId: string) => view.organizations.find(({ org_id }) => org_id === orgId)?.name ?? orgId;
  return (
    <>
      <PageTitle
        title="People"
        about={`Everyone in ${view.name}. A person uses one seat, however many accounts they have.`}
      >
        <PeopleFilters />
      </PageTitle>
      <QueryState query={query}>
        {({ pages }) => {
          const people = pages.flatMap((page) => page.users);
          return (
            <>
              <Seats view={view} totals={pages[0]!} />
              {people.length === 0 ? (
                <Empty title="No matching people">Change the filters.</Empty>
              ) : (
                <TableRegion label="People" minWidth={640} columns={['Person', 'Accounts', 'Seat']}>
                  {people.map((person) => (
                    <Table.Tr key={person.user_id}>
                      <Table.Td>
                        <Text fw={600}>
                          {person.name}{' '}
                          {person.workspace_role === 'admin' && (
                            <Badge size="xs" variant="outline">
                              Workspace admin
                            </Badge>
                          )}
                        </Text>
                        <Text size="xs" c="dimmed">
                          {person.email}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        {person.accounts.map((account) => (
                          <Text size="sm" key={`${account.org_id}/${account.user_id}`}>
                            {nameOf(account.org_id)}{' '}
                            <Text span c="dimmed">
                              as {account.username}
                            </Text>
                          </Text>
                        ))}
                      </Table.Td>
                      <Table.Td>
                        <Switch
                          aria-label={`Seat for ${person.email}`}
                          checked={person.seat_assigned}
                          disabled={assign.isPending}
                          onChange={() =>
                            assign.mutate({
                              action: person.seat_assigned ? 'unassign' : 'assign',
                              id: person.user_id,
                            })
                          }
                        />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </TableRegion>
              )}
              <LoadMore query={query} />
            </>
          );
        }}
      </QueryState>
    </>
  );
}
