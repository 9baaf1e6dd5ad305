import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import { ShownSecret } from './shown-secret.tsx';
import { type WebhookFields, WebhookForm } from './webhook-form.tsx';
import { type CreatedWebhook, webhooksKey } from './wire.ts';

/** Adds a webhook, and shows its secret once. */
export function AddWebhook({ view }: { view: View }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [secret, setSecret] = useState<string>();
  const create = useAction(
    (fields: WebhookFields) => api<CreatedWebhook>('POST', 'webhooks', { scope: view, body: fields }),
    { invalidates: [webhooksKey(view.id)], showsErrorItself: true },
  );
  function closeAndReset() {
    close();
    setSecret(undefined);
    create.reset();
  }
  return (
    <>
      <Button onClick={open}>Add webhook</Button>
      <Modal
        opened={isOpen}
        onClose={closeAndReset}
        title={secret === undefined ? 'Add webhook' : 'Webhook secret'}
        closeOnClickOutside={secret === undefined}
        centered
      >
        {secret === undefined ? (
          <WebhookForm
            initial={{ url: '', types: [] }}
            submit="Add webhook"
            error={create.error}
            isPending={create.isPending}
            onSubmit={(fields) =>
              create.mutate(fields, { onSuccess: (created) => setSecret(created.secret) })
            }
          />
        ) : (
          <ShownSecret secret={secret} onDone={closeAndReset} />
        )}
      </Modal>
    </>
  );
}
