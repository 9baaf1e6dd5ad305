import { type HostOrganization, HostRefused, type WebhookRegistration } from '../host.ts';
import type { GitHubClients } from './github-client.ts';
import type { GitHubHook } from './github-responses.ts';

export const hookEvents = [
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'issue_comment',
  'member',
  'membership',
  'organization',
  'repository',
];

/** The organization's hook with this URL; throws HostRefused if the account is not allowed to see hooks. */
export async function findGitHubHook(
  clients: GitHubClients,
  { name }: HostOrganization,
  url: string,
): Promise<GitHubHook | undefined> {
  const client = await clients.for(name);
  if (clients.isApp) {
    const config = await clients.own.read<GitHubHook['config']>('/app/hook/config');
    return config?.url === url ? { id: 0, active: true, config } : undefined;
  }
  for await (const hook of client.pages<GitHubHook>(`/orgs/${name}/hooks`))
    if (hook.config.url === url) return hook;
  return undefined;
}

function instructions({ name }: HostOrganization, url: string): string {
  return (
    `Ask an owner of ${name} to add a webhook in the organization's settings, with the payload URL ${url}, content type application/json, the secret ` +
    `shown when the connection was created, and these events: ${hookEvents.join(', ')}.`
  );
}

/** Creates or updates the webhook of the organization or the app; if not allowed to, returns what an owner has to do. */
export async function registerGitHubWebhook(
  clients: GitHubClients,
  organization: HostOrganization,
  url: string,
  secret: string,
): Promise<WebhookRegistration> {
  const config = { url, content_type: 'json', secret, insecure_ssl: '0' };
  try {
    if (clients.isApp) {
      await clients.own.write('PATCH', '/app/hook/config', config);
      return { isRegistered: true, instructions: null };
    }
    const hook = await findGitHubHook(clients, organization, url);
    const path = `/orgs/${organization.name}/hooks`;
    const settings = { config, events: hookEvents, active: true };
    const registered =
      hook === undefined
        ? await clients.own.write('POST', path, { name: 'web', ...settings })
        : await clients.own.write('PATCH', `${path}/${hook.id}`, settings);
    if (registered !== null) return { isRegistered: true, instructions: null };
  } catch (error) {
    if (!(error instanceof HostRefused)) throw error;
  }
  return { isRegistered: false, instructions: instructions(organization, url) };
}

export async function removeGitHubWebhook(
  clients: GitHubClients,
  organization: HostOrganization,
  url: string,
): Promise<void> {
  if (clients.isApp) return;
  const hook = await findGitHubHook(clients, organization, url);
  if (hook !== undefined) await clients.own.write('DELETE', `/orgs/${organization.name}/hooks/${hook.id}`);
}
