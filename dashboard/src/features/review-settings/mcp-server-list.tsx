import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { Empty } from '../../components/query-state.tsx';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import { McpServerForm, type ServerInput } from './mcp-server-form.tsx';
import type { McpServer } from './wire.ts';

/** The MCP servers whose tools the model may call; the API takes them as a whole list. */
export function McpServerList({ view, servers }: { view: View; servers: readonly McpServer[] }) {
  const [edited, setEdited] = useState<McpServer | 'new' | undefined>(undefined);
  const save = useAction(
    (body: readonly ServerInput[]) => api('PUT', 'settings/mcp-servers', { scope: view, body }),
    {
      invalidates: [['mcp-servers', view.id]],
      done: 'MCP servers saved',
      showsErrorItself: edited !== undefined,
    },
  );
  const without = (name: string) => servers.filter((server) => server.name !== name);
  function store(server: ServerInput) {
    const isNew = edited === 'new' || edited === undefined;
    const list = isNew
      ? [...servers, server]
      : servers.map((known) => (known.name === edited.name ? server : known));
    save.mutate(list, { onSuccess: () => setEdited(undefined) });
  }
  return (
    <section aria-labelledby="mcp-servers">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="mcp-servers">
          MCP servers
        </Title>
        <Button variant="default" onClick={() => setEdited('new')}>
          Add server
        </Button>
      </Group>
      {servers.length === 0 ? (
        <Empty title="No MCP servers yet">
          With the tools of MCP servers, the model can look things up, such as tickets or documentation.
          Repositories choose the servers they use in .postil.yaml.
        </Empty>
      ) : (
        <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {servers.map((server) => (
            <Paper key={server.name} withBorder p="md" component="li">
              <Group justify="space-between" align="flex-start">
                <div style={{ minWidth: 0 }}>
                  <Text fw={600}>{server.name}</Text>
                  <Text size="sm" style={{ wordBreak: 'break-all' }}>
                    {server.url}
                  </Text>
                  <Group gap="xs" mt="xxs">
                    {Object.keys(server.headers).map((name) => (
                      <Badge key={name} color="gray">
                        {name}: stored
                      </Badge>
                    ))}
                  </Group>
                  <Text size="xs" c="dimmed" mt="xxs">
                    {server.tools === undefined
                      ? 'Tools: all that the server declares as read-only'
                      : `Tools: ${server.tools.join(', ') || 'none'}`}
                  </Text>
                </div>
                <Group gap="xs">
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Edit ${server.name}`}
                    onClick={() => setEdited(server)}
                  >
                    Edit
                  </Button>
                  <ConfirmButton
                    size="xs"
                    variant="default"
                    aria-label={`Remove ${server.name}`}
                    question={`Remove ${server.name}?`}
                    consequence="Its stored headers are deleted. New reviews will not use it."
                    confirm="Remove"
                    onConfirm={() => save.mutate(without(server.name))}
                  >
                    Remove
                  </ConfirmButton>
                </Group>
              </Group>
            </Paper>
          ))}
        </Stack>
      )}
      {edited !== undefined && (
        <McpServerForm
          server={edited === 'new' ? undefined : edited}
          isSaving={save.isPending}
          error={save.error}
          onSave={store}
          onClose={() => {
            save.reset();
            setEdited(undefined);
          }}
        />
      )}
    </section>
  );
}
