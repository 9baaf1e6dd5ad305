import { Button, type ButtonProps, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import { type WebhookFields, WebhookForm } from './webhook-form.tsx';
import { type Webhook, webhooksKey } from './wire.ts';

/** Changes the URL and the event types of a webhook. */
export function EditWebhook({ webhook, view, ...button }: ButtonProps & { webhook: Webhook; view: View }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const change = useAction(
    (fields: WebhookFields) => api('PATCH', `webhooks/${webhook.id}`, { scope: view, body: fields }),
    { invalidates: [webhooksKey(view.id)], showsErrorItself: true, done: 'The webhook was changed' },
  );
  return (
    <>
      <Button {...button} onClick={open}>
        Edit
      </Button>
      <Modal opened={isOpen} onClose={close} title="Edit webhook" centered>
        <WebhookForm
          initial={webhook}
          submit="Save"
          error={change.error}
          isPending={change.isPending}
          onSubmit={(fields) => change.mutate(fields, { onSuccess: close })}
        />
      </Modal>
    </>
  );
}
