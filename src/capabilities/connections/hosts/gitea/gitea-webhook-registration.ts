import { type HostOrganization, HostRefused, type WebhookRegistration } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import type { GiteaHook } from './gitea-answers.ts';
import { giteaPages } from './gitea-client.ts';

/** What Postil wants to hear of. */
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

/** The organization's hook with this address; throws HostRefused where the account may not see hooks. */
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
    `An owner of ${name} adds a webhook of type Gitea or Forgejo in the organization's settings: target URL ${url}, method POST, ` +
    'content type application/json, the secret shown when the connection was made, and all pull request events, comments on issues, and repositories.'
  );
}

/** Makes or updates the organization's webhook; where the account is no owner, tells what an owner has to do. */
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
