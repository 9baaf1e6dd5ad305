import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../lib/api.ts';

/** Leads to GitHub, which creates an App from a manifest and hands its credentials to Postil. */
export function CreateApp() {
  const [url, setUrl] = useState('');
  const [organization, setOrganization] = useState('');
  const begin = useMutation({
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
    begin.mutate();
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          GitHub creates an App of your own with exactly the rights that Postil needs, and you choose the
          repositories it sees. There is no token to copy. GitHub must be able to reach this server.
        </Text>
        <TextInput
          label="Organization that owns the App"
          description="Leave empty for your own account"
          value={organization}
          onChange={(event) => setOrganization(event.currentTarget.value)}
        />
        <TextInput
          label="Address of GitHub Enterprise Server (optional)"
          description="Leave empty for github.com"
          placeholder="https://github.example.com"
          type="url"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        {begin.isError && (
          <Alert color="red" variant="outline" role="alert">
            {begin.error.message}
          </Alert>
        )}
        <Button type="submit" loading={begin.isPending}>
          Create the App on GitHub
        </Button>
      </Stack>
    </form>
  );
}
