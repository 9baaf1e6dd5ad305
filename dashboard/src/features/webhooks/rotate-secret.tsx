import { type ButtonProps, Modal } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { api } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import { ShownSecret } from './shown-secret.tsx';
import type { RotatedSecret, Webhook } from './wire.ts';

/** Replaces the secret of a webhook, and shows the new one once. */
export function RotateSecret({ webhook, view, ...button }: ButtonProps & { webhook: Webhook; view: View }) {
  const [secret, setSecret] = useState<string>();
  const rotate = useAction(
    () => api<RotatedSecret>('POST', `webhooks/${webhook.id}/rotate`, { scope: view }),
    { invalidates: [] },
  );
  return (
    <>
      <ConfirmButton
        {...button}
        question="Replace the secret?"
        consequence="Events are signed with both secrets for 24 hours, so that the receiver can be updated in between. Then the old one is deleted."
        confirm="Replace secret"
        onConfirm={() => rotate.mutate(undefined, { onSuccess: (rotated) => setSecret(rotated.secret) })}
      >
        Rotate secret
      </ConfirmButton>
      <Modal
        opened={secret !== undefined}
        onClose={() => setSecret(undefined)}
        title="New webhook secret"
        closeOnClickOutside={false}
        centered
      >
        {secret !== undefined && <ShownSecret secret={secret} onDone={() => setSecret(undefined)} />}
      </Modal>
    </>
  );
}
