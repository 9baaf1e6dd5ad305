import {
  Alert,
  Button,
  List,
  PasswordInput,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../components/action.ts';
import { api } from '../../lib/api.ts';
import { CreateApp } from './create-app.tsx';
import { type CreatedConnection, connectionsKey, hostNames } from './wire.ts';

/** The permissions that a token needs, as the host names them. */
const permissions: Readonly<Record<string, readonly string[]>> = {
  github: [
    'Classic token: repo, read:org, and admin:org_hook to register the webhook',
    'Or fine-grained, per organization: Contents read, Pull requests read and write, Commit statuses read and write; Members read, Webhooks read and write',
    'Recommended for organizations: a GitHub App, see above',
  ],
  gitlab: [
    'A group, project or personal access token with the scope api',
    'Role Maintainer, or Owner of the group, to register the webhook; at least Reporter to read and comment',
  ],
  gitea: [
    'Access token with read and write for repository, issue and organization, and read for user',
    'The account must be an owner of the organization, to register the webhook and to read its members',
  ],
};

/** Shows an error of the server at the field that it names, otherwise at the end of the form. */
function placeError(message: string): Readonly<Record<string, string>> {
  const [, field, reason] = /^(url|organizations|credentials)(?:[.[]\S*)?: (.*)$/s.exec(message) ?? [];
  return field === undefined ? { form: message } : { [field]: reason! };
}

function TokenForm({
  provider,
  onCreated,
}: {
  provider: string;
  onCreated: (connection: CreatedConnection) => void;
}) {
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const [organizations, setOrganizations] = useState('');
  const names = organizations
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const add = useAction(
    () =>
      api<CreatedConnection>('POST', 'connections', {
        body: {
          provider,
          credentials: { token: token.trim() },
          ...(url.trim() !== '' && { url: url.trim() }),
          ...(names.length > 0 && { organizations: names }),
        },
      }),
    { invalidates: [connectionsKey], showsErrorItself: true },
  );
  const errors = add.error === null ? {} : placeError(add.error.message);
  function submit(event: FormEvent) {
    event.preventDefault();
    add.mutate(undefined, { onSuccess: onCreated });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="URL of the host"
          description={provider === 'gitea' ? undefined : `Leave empty for ${provider}.com`}
          placeholder="https://git.example.com"
          type="url"
          required={provider === 'gitea'}
          value={url}
          error={errors.url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <PasswordInput
          label="Access token"
          description="Stored encrypted and never shown again"
          required
          autoComplete="off"
          value={token}
          error={errors.credentials}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <div>
          <Text size="sm" fw={600}>
            Required permissions
          </Text>
          <List size="sm" c="dimmed" spacing="xxs">
            {permissions[provider]?.map((permission) => (
              <List.Item key={permission}>{permission}</List.Item>
            ))}
          </List>
        </div>
        <TextInput
          label={provider === 'gitlab' ? 'Groups (optional)' : 'Organizations (optional)'}
          description="Names separated by commas; leave empty for all that the account can see"
          value={organizations}
          error={errors.organizations}
          onChange={(event) => setOrganizations(event.currentTarget.value)}
        />
        {errors.form !== undefined && (
          <Alert color="red" variant="outline" role="alert" title="Not connected">
            {errors.form}
          </Alert>
        )}
        <Button type="submit" loading={add.isPending}>
          Connect
        </Button>
      </Stack>
    </form>
  );
}

/** Asks for the credentials of a host: a token, or for GitHub an App that is created there. */
export function ConnectionForm({ onCreated }: { onCreated: (connection: CreatedConnection) => void }) {
  const [provider, setProvider] = useState('github');
  const [method, setMethod] = useState('app');
  const isApp = provider === 'github' && method === 'app';
  return (
    <Stack>
      <Select
        label="Host"
        data={Object.entries(hostNames).map(([value, label]) => ({ value, label }))}
        value={provider}
        onChange={(value) => setProvider(value ?? provider)}
        allowDeselect={false}
      />
      {provider === 'github' && (
        <SegmentedControl
          aria-label="Authentication"
          data={[
            { value: 'app', label: 'GitHub App' },
            { value: 'token', label: 'Access token' },
          ]}
          value={method}
          onChange={setMethod}
        />
      )}
      {isApp ? <CreateApp /> : <TokenForm key={provider} provider={provider} onCreated={onCreated} />}
    </Stack>
  );
}
