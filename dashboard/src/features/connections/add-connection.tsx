import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ConnectionForm } from './connection-form.tsx';
import type { CreatedConnection } from './wire.ts';

function Created({ created, onDone }: { created: CreatedConnection; onDone: () => void }) {
  const { account, url, organizations, webhook } = created;
  return (
    <Stack>
      <Text>
        Connected to {new URL(url).host} as {account.username}
        {organizations.length > 0 && `: ${organizations.join(', ')}`}. Organizations, repositories and members
        are being read.
      </Text>
      <Alert color="indigo" variant="outline" title="Webhook secret">
        It is shown only once. You need it only if Postil cannot register the webhook itself; the connection
        then shows what to do.
      </Alert>
      <Code block data-testid="webhook-secret" style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-all' }}>
        {webhook.secret}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={webhook.secret}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy the secret'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

/** Connects an account on a Git host, and shows its webhook secret once. */
export function AddConnection() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [created, setCreated] = useState<CreatedConnection>();
  function leave() {
    close();
    setCreated(undefined);
  }
  return (
    <>
      <Button onClick={open}>Add connection</Button>
      <Modal
        opened={isOpen}
        onClose={leave}
        title={created === undefined ? 'Add a connection' : 'Connected'}
        closeOnClickOutside={false}
        size="lg"
        centered
      >
        {created === undefined ? (
          <ConnectionForm onCreated={setCreated} />
        ) : (
          <Created created={created} onDone={leave} />
        )}
      </Modal>
    </>
  );
}
