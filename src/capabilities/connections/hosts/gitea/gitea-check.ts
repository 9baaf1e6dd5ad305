import { type HostCheck, type HostOrganization, HostRefused, type RightsCheck } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import { giteaPages } from './gitea-client.ts';
import type { GiteaRepository } from './gitea-responses.ts';
import { findHook } from './gitea-webhook-registration.ts';

async function checkRights(client: RestClient, { name }: HostOrganization): Promise<RightsCheck[]> {
  const path = `/orgs/${encodeURIComponent(name)}/repos`;
  const unreadable: string[] = [];
  const statusless: string[] = [];
  let count = 0;
  for await (const { full_name, permissions } of giteaPages<GiteaRepository>(client, path)) {
    count += 1;
    if (permissions !== undefined && !permissions.pull) unreadable.push(full_name);
    if (permissions !== undefined && !permissions.push) statusless.push(full_name);
  }
  return [
    {
      name: `read ${name}`,
      ok: unreadable.length === 0 && count > 0,
      message:
        count === 0
          ? 'the account cannot see any repository'
          : listed(unreadable, `${count} ${count === 1 ? 'repository' : 'repositories'} can be read`),
    },
    {
      name: `comment in ${name}`,
      // Anyone who can read a repository can comment on its pull requests.
      ok: unreadable.length === 0,
      message: listed(unreadable, 'the account can comment on pull requests'),
    },
    {
      name: `statuses in ${name}`,
      ok: statusless.length === 0,
      message: listed(statusless, 'the account can set commit statuses and commit suggestions'),
      isForReviews: true,
    },
  ];
}

function listed(missing: readonly string[], otherwise: string): string {
  return missing.length === 0 ? otherwise : `not in ${missing.slice(0, 5).join(', ')}`;
}

async function checkHook(
  client: RestClient,
  organization: HostOrganization,
  url: string,
): Promise<HostCheck> {
  const name = `webhook of ${organization.name}`;
  try {
    const hook = await findHook(client, organization, url);
    if (hook === undefined) return { name, ok: false, message: `no webhook calls ${url}` };
    return { name, ok: hook.active, message: hook.active ? 'registered' : 'disabled at the host' };
  } catch (error) {
    if (!(error instanceof HostRefused)) throw error;
    return { name, ok: false, message: 'the account is not allowed to see webhooks; ask an owner' };
  }
}

/** Checks what the account can do in an organization, and whether its webhook calls us. */
export async function checkGitea(
  client: RestClient,
  organization: HostOrganization,
  url: string,
): Promise<RightsCheck[]> {
  return [...(await checkRights(client, organization)), await checkHook(client, organization, url)];
}
