import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FormError } from '../../components/form-error.tsx';
import { typeLabels, type WebhookType } from './wire.ts';

export interface WebhookFields {
  readonly url: string;
  readonly types: readonly WebhookType[];
}

/** The URL and the event types of a webhook. The server's error is shown next to the field it names. */
export function WebhookForm({
  initial,
  submit,
  error,
  isPending,
  onSubmit,
}: {
  initial: WebhookFields;
  submit: string;
  error: Error | null;
  isPending: boolean;
  onSubmit: (fields: WebhookFields) => void;
}) {
  const [url, setUrl] = useState(initial.url);
  const [types, setTypes] = useState<readonly string[]>(initial.types);
  const [, field, reason] = /^(url|types)[^:]*: (.*)$/s.exec(error?.message ?? '') ?? [];
  function send(event: FormEvent) {
    event.preventDefault();
    onSubmit({ url, types: types as WebhookType[] });
  }
  return (
    <form onSubmit={send}>
      <Stack>
        <TextInput
          label="URL"
          description="Receives a signed POST request for each event"
          placeholder="https://example.com/postil"
          type="url"
          required
          maxLength={2048}
          data-autofocus
          value={url}
          error={field === 'url' ? reason : undefined}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Checkbox.Group
          label="Events"
          value={[...types]}
          onChange={setTypes}
          error={field === 'types' ? reason : undefined}
        >
          <Stack gap="xs" mt="xs">
            {Object.entries(typeLabels).map(([type, label]) => (
              <Checkbox key={type} value={type} label={label} />
            ))}
          </Stack>
        </Checkbox.Group>
        <FormError error={field === undefined ? error : null} />
        <Button type="submit" loading={isPending} disabled={types.length === 0}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
