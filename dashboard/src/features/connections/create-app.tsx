import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { FormError } from '../../components/form-error.tsx';
import { api } from '../../lib/api.ts';

/** Goes to GitHub, which creates an App from a manifest and passes its credentials to Postil. */
export function CreateApp() {
  const [url, setUrl] = useState('');
  const [organization, setOrganization] = useState('');
  const start = useMutation({
    mutationFn: () =>
      api<{ page: string }>('POST', 'app-flows', {
        body: {
          provider: 'github',
          ...(url.trim() !== '' && { url: url.trim() }),
          ...(organization.trim() !== '' && { organization: organization.trim() }),
        },
      }),
    onSuccess: ({ page }) => window.location.assign(page),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    start.mutate();
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          GitHub creates an App for you with exactly the permissions that Postil needs, and you choose the
          repositories it can see. There is no token to copy. GitHub must be able to reach this server.
        </Text>
        <TextInput
          label="Organization that owns the App"
          description="Leave empty for your own account"
          value={organization}
          onChange={(event) => setOrganization(event.currentTarget.value)}
        />
        <TextInput
          label="URL of GitHub Enterprise Server (optional)"
          description="Leave empty for github.com"
          placeholder="https://github.example.com"
          type="url"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <FormError error={start.error} />
        <Button type="submit" loading={start.isPending}>
          Create the App on GitHub
        </Button>
      </Stack>
    </form>
  );
}
