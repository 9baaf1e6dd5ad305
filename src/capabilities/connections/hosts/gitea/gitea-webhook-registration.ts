import { type HostOrganization, HostRefused, type WebhookRegistration } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import { giteaPages } from './gitea-client.ts';
import type { GiteaHook } from './gitea-responses.ts';

/** The events that Postil subscribes to. */
export const hookEvents = [
  'pull_request',
  'pull_request_assign',
  'pull_request_label',
  'pull_request_comment',
  'pull_request_review_approved',
  'pull_request_review_rejected',
  'pull_request_review_comment',
  'pull_request_sync',
  'issue_comment',
  'repository',
];

function hooksPath({ name }: HostOrganization): string {
  return `/orgs/${encodeURIComponent(name)}/hooks`;
}

/** The organization's hook with this URL; throws HostRefused if the account is not allowed to see hooks. */
export async function findHook(
  client: RestClient,
  organization: HostOrganization,
  url: string,
): Promise<GiteaHook | undefined> {
  for await (const hook of giteaPages<GiteaHook>(client, hooksPath(organization)))
    if (hook.config.url === url) return hook;
  return undefined;
}

function instructions({ name }: HostOrganization, url: string): string {
  return (
    `Ask an owner of ${name} to add a webhook of type Gitea or Forgejo in the organization's settings, with the target URL ${url}, method POST, ` +
    'content type application/json, the secret shown when the connection was created, and all pull request, issue comment and repository events.'
  );
}

/** Creates or updates the organization's webhook; if the account is not an owner, returns what an owner has to do. */
export async function registerGiteaWebhook(
  client: RestClient,
  organization: HostOrganization,
  url: string,
  secret: string,
): Promise<WebhookRegistration> {
  const settings = {
    config: { url, content_type: 'json', secret },
    events: hookEvents,
    active: true,
  };
  try {
    const hook = await findHook(client, organization, url);
    const path = hooksPath(organization);
    const registered =
      hook === undefined
        ? await client.read({ method: 'POST', path, body: { type: 'gitea', ...settings } })
        : await client.read({ method: 'PATCH', path: `${path}/${hook.id}`, body: settings });
    if (registered !== null) return { isRegistered: true, instructions: null };
  } catch (error) {
    if (!(error instanceof HostRefused)) throw error;
  }
  return { isRegistered: false, instructions: instructions(organization, url) };
}

export async function removeGiteaWebhook(
  client: RestClient,
  organization: HostOrganization,
  url: string,
): Promise<void> {
  const hook = await findHook(client, organization, url);
  if (hook !== undefined)
    await client.read({ method: 'DELETE', path: `${hooksPath(organization)}/${hook.id}` });
}
