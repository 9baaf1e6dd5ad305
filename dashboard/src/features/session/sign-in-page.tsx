import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { FormError } from '../../components/form-error.tsx';
import { api, apiUrl } from '../../lib/api.ts';
import { isOwnPath } from '../../lib/own-path.ts';
import { useSignInOptions } from '../../lib/session.ts';
import { SignInFrame } from './sign-in-frame.tsx';

const problems: Record<string, string> = {
  refused:
    'The sign-in was not accepted. Your email address must be verified by the identity provider and belong to a member of an organization here.',
  ended: 'Your session has ended. Sign in to continue where you were.',
  unreachable: 'The identity provider could not be reached. Try again in a moment.',
};

/** Signs in with a password or through the identity provider, then returns to the page the person asked for. */
export function SignInPage() {
  const search = useSearch({ strict: false }) as { return_to?: string; problem?: string };
  const returnTo = isOwnPath(search.return_to ?? '') ? search.return_to! : '/';
  const { data: options } = useSignInOptions();
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => api('POST', 'sign-in', { body: { email, password } }),
    onSuccess() {
      client.clear();
      window.location.assign(returnTo);
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    signIn.mutate();
  }
  return (
    <SignInFrame title="Sign in">
      {search.problem !== undefined && (
        <Alert color={search.problem === 'ended' ? 'indigo' : 'red'} variant="outline" role="alert">
          {problems[search.problem] ?? problems.refused}
        </Alert>
      )}
      {options?.needs_first_admin && (
        <Alert color="indigo" variant="outline" title="No admin yet">
          The server printed a one-time link for the first admin when it started. Open that link; a restart
          prints a new one.
        </Alert>
      )}
      {options?.single_sign_on && (
        <>
          <Button
            component="a"
            href={apiUrl('sso/start', undefined, { return_to: returnTo })}
            variant="default"
          >
            Sign in with single sign-on
          </Button>
          <Divider label="or with a password" />
        </>
      )}
      <form onSubmit={submit}>
        <Stack>
          <FormError error={signIn.error} />
          <TextInput
            label="Email address"
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" loading={signIn.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
