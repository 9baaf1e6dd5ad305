import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { FormError } from '../../components/form-error.tsx';
import { api } from '../../lib/api.ts';
import { SignInFrame } from '../session/sign-in-frame.tsx';

/** Ends the mails of a digest, for whoever has the link of one, without signing in. Opening it changes nothing yet. */
export function UnsubscribePage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string };
  const leave = useMutation({
    mutationFn: () =>
      api<{ email: string }>('POST', `digests/unsubscribe?token=${encodeURIComponent(token)}`, { body: {} }),
  });
  if (leave.isSuccess)
    return (
      <SignInFrame title="Unsubscribed">
        <Text role="status">No more of these mails go to {leave.data.email}.</Text>
      </SignInFrame>
    );
  return (
    <SignInFrame title="Unsubscribe" about="The weekly digest that this link came with">
      <FormError error={leave.error} />
      <Button loading={leave.isPending} disabled={token === ''} onClick={() => leave.mutate()}>
        Send me no more of these mails
      </Button>
    </SignInFrame>
  );
}
