import { type HostOrganization, HostRefused, type WebhookRegistration } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import { gitLabPages } from './gitlab-client.ts';
import type { GitLabHook, GitLabProject } from './gitlab-responses.ts';

const events = {
  merge_requests_events: true,
  note_events: true,
  push_events: false,
  enable_ssl_verification: true,
};

async function findHook(client: RestClient, path: string, url: string): Promise<GitLabHook | undefined> {
  for await (const hook of gitLabPages<GitLabHook>(client, path)) if (hook.url === url) return hook;
  return undefined;
}

/** Creates or updates the hook at a path; returns false if the host does not support hooks there. */
async function ensureHook(
  client: RestClient,
  path: string,
  settings: { url: string; token: string },
): Promise<boolean> {
  const hook = await findHook(client, path, settings.url);
  const registered =
    hook === undefined
      ? await client.read({ method: 'POST', path, body: { ...settings, ...events } })
      : await client.read({ method: 'PUT', path: `${path}/${hook.id}`, body: { ...settings, ...events } });
  return registered !== null;
}

export function projectsPath({ id }: HostOrganization): string {
  return `/groups/${encodeURIComponent(id)}/projects?include_subgroups=true&with_shared=false`;
}

function instructions({ name }: HostOrganization, url: string): string {
  return (
    `Ask a maintainer to add a webhook to the group ${name}, or to each of its projects, with the URL ${url}, the secret token shown when the ` +
    'connection was created, and the triggers merge request events and comments.'
  );
}

/** Registers one hook for the group if the GitLab edition supports group hooks, otherwise one for each project. */
export async function registerGitLabWebhook(
  client: RestClient,
  organization: HostOrganization,
  url: string,
  secret: string,
): Promise<WebhookRegistration> {
  const settings = { url, token: secret };
  const onGroup = await falseIfRefused(() =>
    ensureHook(client, `/groups/${organization.id}/hooks`, settings),
  );
  if (onGroup) return { isRegistered: true, instructions: null };
  let count = 0;
  let registered = 0;
  for await (const { id, archived } of gitLabPages<GitLabProject>(client, projectsPath(organization))) {
    if (archived) continue;
    count += 1;
    if (await falseIfRefused(() => ensureHook(client, `/projects/${id}/hooks`, settings))) registered += 1;
  }
  return registered === count
    ? { isRegistered: true, instructions: null }
    : { isRegistered: false, instructions: instructions(organization, url) };
}

async function falseIfRefused(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HostRefused) return false;
    throw error;
  }
}

/** Counts the hooks with this URL: on the group, or on its projects. */
export async function countHooks(
  client: RestClient,
  organization: HostOrganization,
  url: string,
): Promise<{ registered: number; count: number }> {
  const onGroup = await findHook(client, `/groups/${organization.id}/hooks`, url).catch((error: unknown) => {
    if (error instanceof HostRefused) return undefined;
    throw error;
  });
  if (onGroup !== undefined) return { registered: 1, count: 1 };
  let count = 0;
  let registered = 0;
  for await (const { id, archived } of gitLabPages<GitLabProject>(client, projectsPath(organization))) {
    if (archived) continue;
    count += 1;
    if ((await findHook(client, `/projects/${id}/hooks`, url)) !== undefined) registered += 1;
  }
  return { registered, count };
}

export async function removeGitLabWebhook(
  client: RestClient,
  organization: HostOrganization,
  url: string,
): Promise<void> {
  const places = [`/groups/${organization.id}/hooks`];
  for await (const { id } of gitLabPages<GitLabProject>(client, projectsPath(organization)))
    places.push(`/projects/${id}/hooks`);
  for (const path of places)
    await falseIfRefused(async () => {
      const hook = await findHook(client, path, url);
      if (hook !== undefined) await client.read({ method: 'DELETE', path: `${path}/${hook.id}` });
      return true;
    });
}
