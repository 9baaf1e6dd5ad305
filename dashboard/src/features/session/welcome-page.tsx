import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { FormError } from '../../components/form-error.tsx';
import { Loading } from '../../components/query-state.tsx';
import { ApiError, api } from '../../lib/api.ts';
import { SignInFrame } from './sign-in-frame.tsx';

const minPasswordLength = 12;

/** Part of the link is missing, as when it was copied by hand. */
const isIncomplete = (error: Error) => error instanceof ApiError && error.code === 'INVALID_REQUEST';

/** Sets a password with a one-time link; its secret is in the URL fragment, which is never sent to the server. */
export function WelcomePage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api<{ email: string | null }>('POST', 'invitations/read', { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (invitation.isPending) {
    return (
      <SignInFrame title="Welcome">
        <Loading lines={3} />
      </SignInFrame>
    );
  }
  if (invitation.isError) {
    return (
      <SignInFrame title="This link does not work">
        <FormError
          error={
            isIncomplete(invitation.error) ? 'The link is incomplete. Open the whole link.' : invitation.error
          }
        />
        <Button component="a" href="/sign-in" variant="default">
          Go to sign-in
        </Button>
      </SignInFrame>
    );
  }
  return <PasswordForm token={token} invitedEmail={invitation.data.email} />;
}

function PasswordForm({ token, invitedEmail }: { token: string; invitedEmail: string | null }) {
  const [email, setEmail] = useState(invitedEmail ?? '');
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const accept = useMutation({
    mutationFn: () =>
      api('POST', 'invitations/accept', {
        body: { token, password, ...(invitedEmail === null && { email }) },
      }),
    onSuccess: () => window.location.assign('/'),
  });
  const isShort = password !== '' && password.length < minPasswordLength;
  const isDifferent = repeated !== '' && repeated !== password;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (password.length >= minPasswordLength && password === repeated) accept.mutate();
  }
  return (
    <SignInFrame
      title="Welcome"
      about={
        invitedEmail === null
          ? 'You are the first admin of this installation. Enter your email address and choose a password.'
          : 'Choose a password for the dashboard.'
      }
    >
      <form onSubmit={submit}>
        <Stack>
          <FormError error={accept.error} />
          <TextInput
            label="Email address"
            type="email"
            autoComplete="username"
            required
            readOnly={invitedEmail !== null}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            description={`At least ${minPasswordLength} characters; a sentence is easy to remember`}
            autoComplete="new-password"
            required
            value={password}
            error={isShort && `${minPasswordLength - password.length} more characters`}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <PasswordInput
            label="Confirm password"
            autoComplete="new-password"
            required
            value={repeated}
            error={isDifferent && 'The passwords do not match'}
            onChange={(event) => setRepeated(event.currentTarget.value)}
          />
          <Button type="submit" loading={accept.isPending}>
            Set password and sign in
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
