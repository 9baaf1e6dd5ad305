import { Badge, Button, Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import { FilterText } from '../../components/filters/filter-text.tsx';
import { DataTable } from '../../components/lists/data-table.tsx';
import { usePages } from '../../components/lists/load-more.tsx';
import type { Column } from '../../components/lists/table-frame.tsx';
import { Empty, QueryState } from '../../components/query-state.tsx';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import { InsightLink } from '../insights/insight-link.tsx';
import { useMembershipChange } from './team-changes.ts';
import type { Team, TeamMember, TeamMemberPage } from './wire.ts';

/** The people in a team, of any number; each name links to the pull requests of that person. */
export function TeamMembers({ view, team, mayChange }: { view: View; team: Team; mayChange: boolean }) {
  const [{ search }] = useFilters();
  const query = usePages<TeamMemberPage>(
    ['team-members', view.id, team.id, search],
    `teams/${team.id}/members`,
    view,
    { search, limit: 100 },
  );
  const columns = useMemo<Column<TeamMember>[]>(
    () => [
      { label: 'Person', cell: (member) => <PersonCell team={team} member={member} /> },
      ...(mayChange
        ? [
            {
              label: 'Remove',
              isLabelHidden: true,
              width: 110,
              cell: (member: TeamMember) => <RemoveButton view={view} team={team} member={member} />,
            },
          ]
        : []),
    ],
    [view, team, mayChange],
  );
  if (team.member_count === 0)
    return <Empty title="Nobody is in this team">{mayChange && 'Add people above.'}</Empty>;
  return (
    <>
      <Group mb="sm">
        <FilterText label="Search in the team" placeholder="Part of a name" />
      </Group>
      <QueryState query={query}>
        {({ pages }) => {
          const members = pages.flatMap((page) => page.members);
          return members.length === 0 ? (
            <Empty title="No matching people">Nobody in this team has a name like this.</Empty>
          ) : (
            <DataTable
              label="People in the team"
              columns={columns}
              rows={members}
              rowKey={({ user_id }) => user_id}
              total={search === undefined ? team.member_count : undefined}
              more={query}
            />
          );
        }}
      </QueryState>
    </>
  );
}

function PersonCell({ team, member: { user_id, username, active } }: { team: Team; member: TeamMember }) {
  return (
    <div>
      <Group gap="xs">
        <InsightLink page="pull-requests" filters={{ author: user_id, team: team.id }}>
          {username}
        </InsightLink>
        {!active && <Badge color="gray">Not a member</Badge>}
      </Group>
      <Text size="xs" c="dimmed">
        ID {user_id}
      </Text>
    </div>
  );
}

function RemoveButton({ view, team, member }: { view: View; team: Team; member: TeamMember }) {
  const change = useMembershipChange(view, team.id);
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Remove ${member.username} from the team`}
      loading={change.isPending}
      onClick={() => change.mutate({ remove: [member.user_id] })}
    >
      Remove
    </Button>
  );
}
