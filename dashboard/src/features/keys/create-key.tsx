import { Alert, Button, Code, CopyButton, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import type { createdKey } from '../../../../src/capabilities/api-keys/schemas.ts';
import { useAction } from '../../components/action.ts';
import { FormError } from '../../components/form-error.tsx';
import { api } from '../../lib/api.ts';
import { daysAgo, formatDate } from '../../lib/format.ts';
import type { View } from '../../lib/session.ts';
import { OwnerField } from './owner-field.tsx';

type CreatedKey = z.output<typeof createdKey>;

const kinds = [
  { value: 'organization', label: 'Organization key: for a system' },
  { value: 'user', label: 'User key: acts as you' },
  { value: 'agentic', label: 'Agentic key: for an agent' },
];

/** Creates a key or token, and shows its value once. */
export function CreateKey({ view }: { view: View }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [created, setCreated] = useState<CreatedKey>();
  const noun = view.kind === 'workspace' ? 'token' : 'key';
  function closeAndReset() {
    close();
    setCreated(undefined);
  }
  return (
    <>
      <Button onClick={open}>Create {noun}</Button>
      <Modal
        opened={isOpen}
        onClose={closeAndReset}
        title={created === undefined ? `Create ${noun}` : `Your new ${noun}`}
        closeOnClickOutside={created === undefined}
        centered
      >
        {created === undefined ? (
          <KeyForm view={view} noun={noun} onCreated={setCreated} />
        ) : (
          <CreatedValue created={created} noun={noun} onDone={closeAndReset} />
        )}
      </Modal>
    </>
  );
}

/** Places the server's error next to the field it names, or else at the end of the form. */
function placeError(message: string): Partial<Record<'name' | 'expires_at' | 'owner' | 'form', string>> {
  const [, field, reason] = /^(name|expires_at|owner): (.*)$/s.exec(message) ?? [];
  return field === undefined ? { form: message } : { [field]: reason };
}

function KeyForm({
  view,
  noun,
  onCreated,
}: {
  view: View;
  noun: string;
  onCreated: (key: CreatedKey) => void;
}) {
  const isWorkspace = view.kind === 'workspace';
  const [name, setName] = useState('');
  const [kind, setKind] = useState('organization');
  const [expires, setExpires] = useState(isWorkspace ? daysAgo(-90) : '');
  const [owner, setOwner] = useState('');
  const needsOwner = isWorkspace ? !view.isOwnAdmin : view.userId === null;
  const create = useAction(
    () =>
      api<CreatedKey>('POST', 'keys', {
        scope: view,
        body: {
          name,
          ...(!isWorkspace && { kind }),
          ...(expires !== '' && { expires_at: `${expires}T00:00:00Z` }),
          ...(owner !== '' && { owner }),
        },
      }),
    { invalidates: [['keys', view.id]], showsErrorItself: true },
  );
  const errors = create.error === null ? {} : placeError(create.error.message);
  function submit(event: FormEvent) {
    event.preventDefault();
    create.mutate(undefined, { onSuccess: onCreated });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          description="What it is for"
          required
          maxLength={100}
          data-autofocus
          value={name}
          error={errors.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {!isWorkspace && (
          <Select
            label="Kind"
            data={kinds}
            value={kind}
            onChange={(value) => setKind(value ?? kind)}
            allowDeselect={false}
          />
        )}
        <TextInput
          label={isWorkspace ? 'Expiration date' : 'Expiration date (optional)'}
          description="1 to 366 days from now"
          type="date"
          required={isWorkspace}
          min={daysAgo(-2)}
          max={daysAgo(-365)}
          value={expires}
          error={errors.expires_at}
          onChange={(event) => setExpires(event.currentTarget.value)}
        />
        {(needsOwner || (view.kind === 'organization' && view.isAdmin)) && (
          <OwnerField
            view={view}
            description={
              needsOwner
                ? `The ${noun} acts with this person’s permissions`
                : `Leave empty to own the ${noun} yourself; it acts with its owner’s permissions`
            }
            required={needsOwner}
            value={owner}
            onChange={setOwner}
            error={errors.owner}
          />
        )}
        <FormError error={errors.form} />
        <Button type="submit" loading={create.isPending}>
          Create {noun}
        </Button>
      </Stack>
    </form>
  );
}

function CreatedValue({ created, noun, onDone }: { created: CreatedKey; noun: string; onDone: () => void }) {
  return (
    <Stack>
      <Alert color="indigo" variant="outline" title="Copy it now">
        The value is shown only once. It is not stored and cannot be shown again.
      </Alert>
      <Code block data-testid="key-value" style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-all' }}>
        {created.value}
      </Code>
      <Text size="sm" c="dimmed">
        {created.name}
        {created.expires_at !== null && `, valid until ${formatDate(created.expires_at)}`}
      </Text>
      <Group justify="flex-end">
        <CopyButton value={created.value}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : `Copy ${noun}`}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
