import { Button, Center, Code, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Session } from '../lib/session.ts';

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Center mih="60vh" p="md">
      <Stack maw={460} ta="center">
        <title>{`${title} · Postil`}</title>
        <Title order={1}>{title}</Title>
        {children}
      </Stack>
    </Center>
  );
}

function StartPageButton() {
  return (
    <Button component="a" href="/" variant="default">
      Go to the start page
    </Button>
  );
}

/** Shown for a URL that matches no page. */
export function NoSuchPage() {
  return (
    <Notice title="Page not found">
      <StartPageButton />
    </Notice>
  );
}

/** Shown if the person has no access to the view in the URL. */
export function NoAccess() {
  return (
    <Notice title="You do not have access to this page">
      <Text c="dimmed">
        The organization does not exist, or your role gives you no access to it. An admin can change your
        role; whoever runs this installation can add organizations with <code>postil apply</code>.
      </Text>
      <StartPageButton />
    </Notice>
  );
}

function NoOrganizations({ command }: { command: string }) {
  return (
    <Notice title="No organizations yet">
      <Text c="dimmed">
        Connect a Git host, and its organizations, repositories and members are added automatically.
      </Text>
      <Button component={Link} to="/connections">
        Connect a Git host
      </Button>
      <Text c="dimmed">
        Or describe them in <code>platform.yaml</code> and run:
      </Text>
      <Code block ta="left" style={{ whiteSpace: 'pre-wrap' }}>
        {command} apply platform.yaml
      </Code>
    </Notice>
  );
}

/** Explains why there is no view at this URL: no such page, a new installation, or no access. */
export function NoView({ session, kind }: { session: Session; kind: string | undefined }) {
  if (kind !== undefined && kind !== 'organizations' && kind !== 'workspaces') return <NoSuchPage />;
  const isNewInstallation = session.organizations.length === 0 && session.is_installation_admin;
  return isNewInstallation ? <NoOrganizations command={session.postil_command} /> : <NoAccess />;
}
