import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { FormError } from '../../components/form-error.tsx';
import { api } from '../../lib/api.ts';
import { SignInFrame } from '../session/sign-in-frame.tsx';

/** Unsubscribes from a digest by the link in its mails, without signing in. Opening the page does not change anything yet. */
export function UnsubscribePage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string };
  const leave = useMutation({
    mutationFn: () =>
      api<{ email: string }>('POST', `digests/unsubscribe?token=${encodeURIComponent(token)}`, { body: {} }),
  });
  if (leave.isSuccess)
    return (
      <SignInFrame title="Unsubscribed">
        <Text role="status">{leave.data.email} will no longer receive this digest.</Text>
      </SignInFrame>
    );
  return (
    <SignInFrame title="Unsubscribe" about="Stop receiving the weekly digest that contained this link">
      <FormError error={leave.error} />
      <Button loading={leave.isPending} disabled={token === ''} onClick={() => leave.mutate()}>
        Unsubscribe
      </Button>
    </SignInFrame>
  );
}
