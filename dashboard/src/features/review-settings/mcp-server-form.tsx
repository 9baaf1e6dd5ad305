import { Button, Group, Modal, PasswordInput, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ErrorMessage } from '../../components/query-state.tsx';
import type { McpServer } from './wire.ts';

export interface ServerInput extends Omit<McpServer, 'headers'> {
  readonly headers: Readonly<Record<string, string | null>>;
}

interface HeaderField {
  readonly id: number;
  readonly name: string;
  readonly value: string;
  readonly isStored: boolean;
}

/** Adds or changes one server. A stored value is kept unless another one is typed. */
export function McpServerForm({
  server,
  isSaving,
  error,
  onSave,
  onClose,
}: {
  server: McpServer | undefined;
  isSaving: boolean;
  error: Error | null;
  onSave: (server: ServerInput) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(server?.name ?? '');
  const [url, setUrl] = useState(server?.url ?? '');
  const [tools, setTools] = useState<string[]>(server?.tools ?? []);
  const [headers, setHeaders] = useState<readonly HeaderField[]>(
    Object.keys(server?.headers ?? {}).map((header, id) => ({ id, name: header, value: '', isStored: true })),
  );
  const change = (id: number, fields: Partial<HeaderField>) =>
    setHeaders(headers.map((header) => (header.id === id ? { ...header, ...fields } : header)));
  function submit(event: FormEvent) {
    event.preventDefault();
    onSave({
      name: name.trim(),
      url: url.trim(),
      headers: Object.fromEntries(
        headers.map(({ name: header, value, isStored }) => [
          header.trim(),
          value === '' && isStored ? null : value,
        ]),
      ),
      ...(tools.length > 0 && { tools }),
    });
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={server === undefined ? 'Add MCP server' : `Edit ${server.name}`}
      size="lg"
    >
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            description="Repositories refer to the server by this name in .postil.yaml."
            required
            maxLength={100}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label="URL"
            placeholder="https://mcp.example.com/mcp"
            required
            type="url"
            maxLength={2048}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <TagsInput
            label="Tools"
            description="Tools that the model may call. Empty: all tools that the server declares as read-only."
            value={tools}
            onChange={setTools}
          />
          {headers.map(({ id, name: header, value, isStored }) => (
            <Group key={id} align="flex-end" gap="xs">
              <TextInput
                label="Header"
                required
                value={header}
                readOnly={isStored}
                onChange={(event) => change(id, { name: event.currentTarget.value })}
                style={{ flex: '1 1 140px' }}
              />
              <PasswordInput
                label="Value"
                required={!isStored}
                placeholder={isStored ? 'Stored; enter a new value to replace it' : ''}
                autoComplete="off"
                value={value}
                onChange={(event) => change(id, { value: event.currentTarget.value })}
                style={{ flex: '2 1 180px' }}
              />
              <Button
                variant="default"
                aria-label={`Remove header ${header}`}
                onClick={() => setHeaders(headers.filter((other) => other.id !== id))}
              >
                Remove
              </Button>
            </Group>
          ))}
          <Button
            variant="default"
            style={{ alignSelf: 'flex-start' }}
            onClick={() =>
              setHeaders([
                ...headers,
                {
                  id: Math.max(-1, ...headers.map(({ id }) => id)) + 1,
                  name: '',
                  value: '',
                  isStored: false,
                },
              ])
            }
          >
            Add header
          </Button>
          <Text size="sm" c="dimmed">
            Values are stored encrypted and never shown again.
          </Text>
          {error !== null && <ErrorMessage error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSaving}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
