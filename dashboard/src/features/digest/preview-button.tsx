import { Button, type ButtonProps, Code, Modal, Stack, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { QueryState } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import type { DigestPreview } from './wire.ts';

const block = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;

function Preview({ preview: { subject, html, text, slack, teams } }: { preview: DigestPreview }) {
  return (
    <Stack>
      <Text fw={600}>{subject}</Text>
      <Tabs defaultValue="mail">
        <Tabs.List>
          <Tabs.Tab value="mail">Mail</Tabs.Tab>
          <Tabs.Tab value="text">Plain text</Tabs.Tab>
          <Tabs.Tab value="slack">Slack</Tabs.Tab>
          <Tabs.Tab value="teams">Teams</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="mail" pt="md">
          {/* Sandboxed without any permission: no scripts, no navigation. */}
          <iframe
            title="The mail"
            sandbox=""
            srcDoc={html}
            style={{ width: '100%', height: '60vh', border: 0, borderRadius: 8 }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="text" pt="md">
          <Code block style={block}>
            {text}
          </Code>
        </Tabs.Panel>
        {Object.entries({ slack, teams }).map(([kind, message]) => (
          <Tabs.Panel key={kind} value={kind} pt="md">
            <Code block style={block}>
              {JSON.stringify(message, null, 2)}
            </Code>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

/** Shows the digest that would be sent now, in every format. */
export function PreviewButton({
  view,
  teamId,
  ...button
}: { view: View; teamId: string | undefined } & ButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const query = useQuery({
    queryKey: ['digest-preview', view.id, teamId],
    queryFn: () => api<DigestPreview>('GET', 'digests/preview', { scope: view, query: { team_id: teamId } }),
    enabled: isOpen,
  });
  return (
    <>
      <Button {...button} onClick={open}>
        Preview
      </Button>
      <Modal opened={isOpen} onClose={close} title="Preview of the digest" size="xl" centered>
        <QueryState query={query}>{(preview) => <Preview preview={preview} />}</QueryState>
      </Modal>
    </>
  );
}
