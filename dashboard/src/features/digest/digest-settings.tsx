import { Button, Group, Modal, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../components/action.ts';
import { QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import type { Team } from '../teams/wire.ts';
import { DigestCard } from './digest-card.tsx';
import { type DigestFields, DigestForm, usual } from './digest-form.tsx';
import { digestsKey, type DigestSettings as Settings } from './wire.ts';

function AddDigest({
  view,
  settings: { digests, has_mail },
  teams,
}: {
  view: View;
  settings: Settings;
  teams: readonly Team[];
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [teamId, setTeamId] = useState<string>();
  const known = new Set(digests.map(({ team }) => team?.id ?? ''));
  const choices = [{ id: '', name: 'The whole organization' }, ...teams].filter(({ id }) => !known.has(id));
  const chosen = teamId ?? choices[0]?.id ?? '';
  const create = useAction(
    (fields: DigestFields) =>
      api('POST', 'digests', { scope: view, body: { ...fields, team_id: chosen === '' ? null : chosen } }),
    { invalidates: [digestsKey(view.id)], done: 'The digest was added', showsErrorItself: true },
  );
  function leave() {
    close();
    create.reset();
    setTeamId(undefined);
  }
  if (choices.length === 0) return null;
  return (
    <>
      <Button onClick={open}>Add digest</Button>
      <Modal opened={isOpen} onClose={leave} title="Add a digest" centered>
        <Stack>
          <NativeSelect
            label="Digest of"
            description="For a team: only pull requests whose authors are in it"
            value={chosen}
            onChange={(event) => setTeamId(event.currentTarget.value)}
            data={choices.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <DigestForm
            initial={usual}
            hasMail={has_mail}
            submit="Add digest"
            error={create.error}
            isPending={create.isPending}
            onSubmit={(fields) => create.mutate(fields, { onSuccess: leave })}
          />
        </Stack>
      </Modal>
    </>
  );
}

/** Who gets a digest every week, for admins. */
export function DigestSettings({ view, teams }: { view: View; teams: readonly Team[] }) {
  const query = useQuery({
    queryKey: digestsKey(view.id),
    queryFn: () => api<Settings>('GET', 'digests', { scope: view }),
  });
  return (
    <Stack component="section" aria-label="Weekly deliveries" mt="xl">
      <QueryState query={query}>
        {(settings) => (
          <>
            <Group justify="space-between">
              <Title order={2}>Weekly deliveries</Title>
              <AddDigest view={view} settings={settings} teams={teams} />
            </Group>
            {settings.digests.length === 0 && (
              <Text c="dimmed">
                The digest is not sent by mail or to a chat yet.{' '}
                {settings.has_mail
                  ? ''
                  : 'For mails, whoever runs this installation must first set POSTIL_SMTP_URL.'}
              </Text>
            )}
            {settings.digests.map((digest) => (
              <DigestCard key={digest.id} digest={digest} view={view} hasMail={settings.has_mail} />
            ))}
          </>
        )}
      </QueryState>
    </Stack>
  );
}
