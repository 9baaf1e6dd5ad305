import { Button, Center, Code, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Session } from '../lib/session.ts';

function Notice({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Center mih="60vh" p="md">
      <Stack maw={460} ta="center">
        <title>{`${title} · Postil`}</title>
        <Title order={1} size="h3">
          {title}
        </Title>
        {children}
        <Button component="a" href="/" variant="default">
          To the start
        </Button>
      </Stack>
    </Center>
  );
}

/** Stands where the address leads to no page. */
export function NoSuchPage() {
  return <Notice title="There is no such page" />;
}

/** Stands where the person can see nothing of what the address names. */
export function NothingToSee() {
  return (
    <Notice title="There is nothing here for you to see">
      <Text c="dimmed">
        The organization does not exist, or your role in it shows none of these pages. An admin can change
        your role; whoever runs this installation can add organizations with <code>postil apply</code>.
      </Text>
    </Notice>
  );
}

function NoOrganizations() {
  return (
    <Notice title="No organizations yet">
      <Text c="dimmed">
        Describe them in <code>platform.yaml</code> and run:
      </Text>
      <Code block ta="left" style={{ whiteSpace: 'pre-wrap' }}>
        npm run -s postil -- apply platform.yaml
      </Code>
    </Notice>
  );
}

/** Says why there is no view at this address: no such page, a fresh installation, or nothing the person may see. */
export function NoView({ session, kind }: { session: Session; kind: string | undefined }) {
  if (kind !== undefined && kind !== 'organizations' && kind !== 'workspaces') return <NoSuchPage />;
  const isFresh = session.organizations.length === 0 && session.is_installation_admin;
  return isFresh ? <NoOrganizations /> : <NothingToSee />;
}
