import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm.tsx';
import { NameForm } from '../../components/name-form.tsx';
import { useFilters } from '../../lib/search.ts';
import type { View } from '../../lib/session.ts';
import { InsightLink } from '../insights/insight-link.tsx';
import { AddPeople } from './add-people.tsx';
import { useDeleteTeam, useRenameTeam } from './team-changes.ts';
import { TeamMembers } from './team-members.tsx';
import { countPeople, sourceLabels, type Team } from './wire.ts';

/** One team: its name, its people, and a link to its numbers. Teams from elsewhere are read-only. */
export function TeamPanel({ view, team, isHostRead }: { view: View; team: Team; isHostRead: boolean }) {
  const mayChange = view.isAdmin && team.source === 'postil';
  const isAbandoned = team.source === 'host' && !isHostRead;
  const { id, name, source, member_count } = team;
  return (
    <Paper withBorder p="md" component="section" aria-label={`Team ${name}`}>
      <Stack>
        <div>
          <Group gap="xs">
            <Title order={2} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Title>
            <Badge color="gray">{sourceLabels[source]}</Badge>
          </Group>
          <Group gap="md">
            <Text size="sm" c="dimmed">
              {countPeople(member_count)}
            </Text>
            <Text size="sm">
              <InsightLink page="pull-requests" filters={{ team: id }}>
                Pull requests
              </InsightLink>
            </Text>
            <Text size="sm">
              <InsightLink page="compare" filters={{ team: id }}>
                Statistics
              </InsightLink>
            </Text>
          </Group>
        </div>
        {mayChange && <Changes view={view} team={team} />}
        {!mayChange && (
          <Text size="sm" c="dimmed">
            {explainReadOnly(team, isAbandoned)}
          </Text>
        )}
        {isAbandoned && view.isAdmin && <DeleteTeam view={view} team={team} />}
        <TeamMembers view={view} team={team} mayChange={mayChange} />
      </Stack>
    </Paper>
  );
}

function explainReadOnly({ source }: Team, isAbandoned: boolean): string {
  if (source === 'postil') return 'Only admins can change teams.';
  if (isAbandoned) return 'This team was read from the Git host, which is no longer connected.';
  return `This team comes from the ${sourceLabels[source]} and is changed there.`;
}

function DeleteTeam({ view, team: { id, name } }: { view: View; team: Team }) {
  const [, change] = useFilters();
  const remove = useDeleteTeam(view, id, () => change({ team: undefined, search: undefined }));
  return (
    <ConfirmButton
      variant="default"
      question={`Delete “${name}”?`}
      consequence="Its people stay in the organization. The team is also removed from statistics of the past."
      confirm="Delete"
      onConfirm={() => remove.mutate(undefined)}
    >
      Delete team
    </ConfirmButton>
  );
}

function Changes({ view, team }: { view: View; team: Team }) {
  const { id, name } = team;
  const rename = useRenameTeam(view, id);
  return (
    <>
      <Group gap="xs">
        <NameForm
          action="Rename team"
          variant="default"
          initialName={name}
          isPending={rename.isPending}
          onSubmit={(next, onDone) => rename.mutate(next, { onSuccess: onDone })}
        />
        <DeleteTeam view={view} team={team} />
      </Group>
      <AddPeople view={view} teamId={id} />
    </>
  );
}
