import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { roleList } from '../../../../src/capabilities/roles/schemas.ts';
import { usePages } from '../../components/lists/load-more.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import { MemberTable } from './member-table.tsx';
import { type Choice, PeopleFilters } from './people-filters.tsx';
import { Seats } from './seats.tsx';
import type { MemberPage } from './wire.ts';

const noRoles: readonly Choice[] = [];
const toChoices = ({ roles }: z.output<typeof roleList>): readonly Choice[] =>
  roles.map(({ id, name }) => ({ value: id, label: name }));

/** The roles that a person can be given. */
function useRoles(view: View) {
  const { data } = useQuery({
    queryKey: ['roles', view.id, 'names'],
    queryFn: () => api<z.output<typeof roleList>>('GET', 'roles', { scope: view }),
    enabled: view.may('role_management:read'),
    select: toChoices,
  });
  return data ?? noRoles;
}

export function OrganizationPeople({ view }: { view: View }) {
  const [{ search, seat, role, sort }] = useFilters();
  const roles = useRoles(view);
  const query = usePages<MemberPage>(['people', view.id, search, seat, role, sort], 'people', view, {
    search,
    seat,
    role,
    sort,
    limit: 100,
  });
  const first = query.data?.pages[0];
  return (
    <>
      <PageTitle title="People" about={`Members of ${view.name}, their seats and roles`} />
      {first && <Seats view={view} totals={first} />}
      <PeopleFilters roles={roles} total={first?.total} />
      <QueryState query={query}>
        {({ pages }) => {
          const members = pages.flatMap((page) => page.users);
          return members.length === 0 ? (
            <Empty title="No matching people">
              Change the filters. Members come from a connected Git host, or from <code>postil apply</code>.
            </Empty>
          ) : (
            <MemberTable view={view} members={members} roles={roles} total={first?.total} more={query} />
          );
        }}
      </QueryState>
    </>
  );
}
