import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FormError } from '../../components/form-error.tsx';
import { chatLabels, type Digest, weekdays } from './wire.ts';

type ChatKind = keyof typeof chatLabels;

export interface DigestFields {
  readonly weekday: number;
  readonly hour: number;
  readonly recipients: readonly string[];
  readonly chat: { readonly kind: ChatKind; readonly url?: string } | null;
}

type Initial = Pick<Digest, 'weekday' | 'hour' | 'recipients' | 'chat'>;

export const usual: Initial = { weekday: 1, hour: 7, recipients: [], chat: null };

const addressesOf = (text: string) => text.split(/[\s,;]+/).filter((address) => address !== '');

function Schedule({
  weekday,
  hour,
  onChange,
}: {
  weekday: number;
  hour: number;
  onChange: (change: { weekday?: number; hour?: number }) => void;
}) {
  return (
    <Group grow align="flex-start">
      <NativeSelect
        label="Day"
        value={String(weekday)}
        onChange={(event) => onChange({ weekday: Number(event.currentTarget.value) })}
        data={weekdays.map((label, index) => ({ value: String(index + 1), label }))}
      />
      <NativeSelect
        label="Hour (UTC)"
        value={String(hour)}
        onChange={(event) => onChange({ hour: Number(event.currentTarget.value) })}
        data={Array.from({ length: 24 }, (_, each) => ({
          value: String(each),
          label: `${String(each).padStart(2, '0')}:00`,
        }))}
      />
    </Group>
  );
}

/** When a digest is sent, and where to. */
export function DigestForm({
  initial,
  hasMail,
  submit,
  error,
  isPending,
  onSubmit,
}: {
  initial: Initial;
  hasMail: boolean;
  submit: string;
  error: Error | null;
  isPending: boolean;
  onSubmit: (fields: DigestFields) => void;
}) {
  const [schedule, setSchedule] = useState({ weekday: initial.weekday, hour: initial.hour });
  const [recipients, setRecipients] = useState(initial.recipients.join('\n'));
  const [kind, setKind] = useState<ChatKind | ''>(initial.chat?.kind ?? '');
  const [url, setUrl] = useState('');
  function send(event: FormEvent) {
    event.preventDefault();
    const chat = kind === '' ? null : { kind, ...(url !== '' && { url }) };
    onSubmit({ ...schedule, recipients: addressesOf(recipients), chat });
  }
  return (
    <form onSubmit={send}>
      <Stack>
        <Schedule {...schedule} onChange={(change) => setSchedule({ ...schedule, ...change })} />
        <Textarea
          label="Email addresses"
          description={
            hasMail
              ? 'One per line, at most 50. Every mail has a link to unsubscribe'
              : 'Whoever runs this installation has not set up a mail server yet (POSTIL_SMTP_URL)'
          }
          autosize
          minRows={2}
          value={recipients}
          onChange={(event) => setRecipients(event.currentTarget.value)}
        />
        <NativeSelect
          label="Chat"
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as ChatKind | '')}
          data={[
            { value: '', label: 'None' },
            ...Object.entries(chatLabels).map(([value, label]) => ({ value, label })),
          ]}
        />
        {kind !== '' && (
          <TextInput
            label="URL of the incoming webhook"
            description={
              initial.chat === null
                ? 'Stored encrypted and never shown again'
                : `Leave empty to keep the one at ${initial.chat.host}`
            }
            type="url"
            maxLength={2048}
            required={initial.chat === null}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
        )}
        <FormError error={error} />
        <Button type="submit" loading={isPending}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
