import { Badge, NavLink, Paper, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadMore, usePages } from '../../components/lists/load-more.tsx';
import { NameForm } from '../../components/name-form.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { useFilters } from '../../lib/search.ts';
import { useView, type View } from '../../lib/session.ts';
import { HostTeams } from './host-teams.tsx';
import { useCreateTeam } from './team-changes.ts';
import { TeamPanel } from './team-panel.tsx';
import { countPeople, sourceLabels, type Team, type TeamPage } from './wire.ts';

const searchPauseMs = 200;

/** The teams of an organization, wherever they are defined, and who is in them. */
export default function TeamsPage() {
  const view = useView();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), searchPauseMs);
  const query = usePages<TeamPage>(['teams', view.id, search], 'teams', view, { search, limit: 50 });
  return (
    <>
      <PageTitle title="Teams" about={`Groups of people in ${view.name}, for statistics by team`}>
        {view.isAdmin && <CreateTeam view={view} />}
      </PageTitle>
      <QueryState query={query}>
        {({ pages }) => {
          const teams = pages.flatMap((page) => page.teams);
          return (
            <>
              <HostTeams state={pages[0]!.host_teams} />
              {teams.length === 0 && search === '' ? (
                <Empty title="No teams yet">
                  {view.isAdmin
                    ? 'Create a team and add people, or connect a Git host or an identity provider that has teams.'
                    : 'Admins can create teams.'}
                </Empty>
              ) : (
                <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
                  <Paper withBorder p="sm" component="section" aria-label="Teams">
                    <TextInput
                      label="Search teams"
                      placeholder="Part of a name"
                      mb="sm"
                      maxLength={200}
                      value={typed}
                      onChange={(event) => setTyped(event.currentTarget.value)}
                    />
                    <TeamList teams={teams} />
                    <LoadMore query={query} />
                  </Paper>
                  <Chosen
                    view={view}
                    teams={teams}
                    isHostRead={pages[0]!.host_teams.status !== 'not_connected'}
                  />
                </SimpleGrid>
              )}
            </>
          );
        }}
      </QueryState>
    </>
  );
}

function CreateTeam({ view }: { view: View }) {
  const [, change] = useFilters();
  const create = useCreateTeam(view);
  return (
    <NameForm
      action="Create team"
      isPending={create.isPending}
      onSubmit={(name, onDone) =>
        create.mutate(name, {
          onSuccess({ id }) {
            onDone();
            change({ team: id, search: undefined });
          },
        })
      }
    />
  );
}

function TeamList({ teams }: { teams: readonly Team[] }) {
  const [{ team: chosen = teams[0]?.id }, change] = useFilters();
  if (teams.length === 0) return <Empty title="No matching teams">No team has a name like this.</Empty>;
  return (
    <Stack gap="xxs">
      {teams.map(({ id, name, source, member_count }) => (
        <NavLink
          key={id}
          component="button"
          type="button"
          active={id === chosen}
          aria-pressed={id === chosen}
          label={name}
          description={countPeople(member_count)}
          onClick={() => change({ team: id, search: undefined })}
          variant="light"
          style={{ borderRadius: 8, overflowWrap: 'anywhere' }}
          styles={{ description: { opacity: 1 } }}
          rightSection={source === 'postil' ? null : <Badge color="gray">{sourceLabels[source]}</Badge>}
        />
      ))}
    </Stack>
  );
}

/** The team that the URL names, else the first one. It need not be on the pages of the list that were loaded. */
function Chosen({ view, teams, isHostRead }: { view: View; teams: readonly Team[]; isHostRead: boolean }) {
  const [{ team: id = teams[0]?.id }] = useFilters();
  const listed = teams.find((team) => team.id === id);
  const query = useQuery({
    queryKey: ['teams', view.id, 'one', id],
    queryFn: () => api<Team>('GET', `teams/${id}`, { scope: view }),
    enabled: id !== undefined && listed === undefined,
  });
  if (id === undefined) return null;
  const panel = (team: Team) => <TeamPanel key={id} view={view} team={team} isHostRead={isHostRead} />;
  return listed === undefined ? <QueryState query={query}>{panel}</QueryState> : panel(listed);
}
