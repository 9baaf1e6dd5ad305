import { Button, Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PageTitle, QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import { formatDate } from '../../lib/format.ts';
import { useFilters } from '../../lib/search.ts';
import { useView, type View } from '../../lib/session.ts';
import type { Team, TeamPage } from '../teams/wire.ts';
import { DigestSettings } from './digest-settings.tsx';
import { Week } from './week.tsx';
import type { Week as WeekOfDigest } from './wire.ts';

const dayMs = 86_400_000;

function daysFrom(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The teams to choose from; none for people who may not see them. */
function useTeams(view: View): readonly Team[] {
  const { data } = useQuery({
    queryKey: ['teams', view.id, 'digest'],
    queryFn: () => api<TeamPage>('GET', 'teams', { scope: view, query: { limit: 100 } }),
    enabled: view.may('user_management:read'),
  });
  return data?.teams ?? [];
}

function Choices({ week, teams }: { week: WeekOfDigest; teams: readonly Team[] }) {
  const [{ team = '' }, change] = useFilters();
  const isLatest = daysFrom(week.end_date, 1) >= new Date().toISOString().slice(0, 10);
  return (
    <Group mb="lg" gap="xs" align="flex-end">
      {teams.length > 0 && (
        <NativeSelect
          label="Digest of"
          value={team}
          onChange={(event) => change({ team: event.currentTarget.value })}
          data={[
            { value: '', label: 'The whole organization' },
            ...teams.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <Button variant="default" onClick={() => change({ until: daysFrom(week.end_date, -7) })}>
        Previous week
      </Button>
      <Button
        variant="default"
        disabled={isLatest}
        onClick={() => change({ until: daysFrom(week.end_date, 7) })}
      >
        Next week
      </Button>
    </Group>
  );
}

/** A week of the organization or of a team, with the same content as in mails and chats. */
export default function DigestPage() {
  const view = useView();
  const teams = useTeams(view);
  const [{ team, until }] = useFilters();
  const query = useQuery({
    queryKey: ['digest', view.id, team, until],
    queryFn: () =>
      api<WeekOfDigest>('GET', 'digests/content', {
        scope: view,
        query: { team_id: team, end_date: until },
      }),
    placeholderData: (shown) => shown,
  });
  const about =
    query.data && `${formatDate(query.data.start_date)} to ${formatDate(query.data.end_date)}, in UTC`;
  return (
    <>
      <PageTitle title="Digest" {...(about !== undefined && { about })} />
      <QueryState query={query}>
        {(week) => (
          <>
            <Choices week={week} teams={teams} />
            <Week week={week} view={view} />
          </>
        )}
      </QueryState>
      {view.isAdmin && <DigestSettings view={view} teams={teams} />}
    </>
  );
}
