import { type HostCheck, type HostOrganization, HostRefused, type RightsCheck } from '../host.ts';
import type { GitHubClients } from './github-client.ts';
import type { GitHubRepository } from './github-responses.ts';
import { findGitHubHook } from './github-webhook-registration.ts';

/** The permissions that an app needs. */
export const neededPermissions = {
  contents: 'read',
  pull_requests: 'write',
  members: 'read',
  checks: 'write',
};

/** Needed only to commit suggestions, which happens on request. */
export const commitPermission = { contents: 'write' };

/** Needed only by the check for linked issues. */
export const issuePermission = { issues: 'read' };

function readingIssues(name: string, issues: string | undefined): RightsCheck {
  const ok = issues !== undefined;
  const message = ok ? 'the app can read issues' : 'for the check `linked_issue`, the app needs issues: read';
  return { name: `issues in ${name}`, ok, message, isForReviews: true };
}

function committing(name: string, contents: string | undefined): RightsCheck {
  const ok = contents === commitPermission.contents;
  const message = ok
    ? 'the app can commit suggestions'
    : 'to commit suggestions (`fix`), the app needs contents: write';
  return { name: `commit in ${name}`, ok, message, isForReviews: true };
}

async function checkApp(clients: GitHubClients, { name }: HostOrganization): Promise<RightsCheck[]> {
  for await (const { account, permissions } of clients.installations()) {
    if (account?.login.toLowerCase() !== name.toLowerCase()) continue;
    const needed = Object.entries(neededPermissions).map(([permission, level]) => {
      const given = permissions[permission];
      return {
        name: `${permission} in ${name}`,
        ok: given === level || given === 'write',
        message: given === undefined ? `the app needs ${permission}: ${level}` : `${permission}: ${given}`,
      };
    });
    return [...needed, committing(name, permissions.contents), readingIssues(name, permissions.issues)];
  }
  return [{ name: `installation on ${name}`, ok: false, message: 'the app is not installed' }];
}

async function checkToken(clients: GitHubClients, { name }: HostOrganization): Promise<RightsCheck[]> {
  let count = 0;
  let writable = 0;
  for await (const { permissions } of clients.own.pages<GitHubRepository>(`/orgs/${name}/repos`)) {
    count += 1;
    if (permissions?.push) writable += 1;
  }
  return [
    {
      name: `read ${name}`,
      ok: count > 0,
      message:
        count === 0
          ? 'the account cannot see any repository'
          : `${count} ${count === 1 ? 'repository' : 'repositories'} can be read`,
    },
    {
      name: `comment in ${name}`,
      ok: count > 0,
      message: 'the account can comment where it can read',
    },
    {
      name: `statuses in ${name}`,
      ok: count > 0 && writable === count,
      message: `the account can set commit statuses and commit suggestions in ${writable} of ${count} repositories`,
      isForReviews: true,
    },
  ];
}

async function checkHook(
  clients: GitHubClients,
  organization: HostOrganization,
  url: string,
): Promise<HostCheck> {
  const name = `webhook of ${organization.name}`;
  try {
    const hook = await findGitHubHook(clients, organization, url);
    if (hook === undefined) return { name, ok: false, message: `no webhook calls ${url}` };
    return { name, ok: hook.active, message: hook.active ? 'registered' : 'disabled at the host' };
  } catch (error) {
    if (!(error instanceof HostRefused)) throw error;
    return { name, ok: false, message: 'the account is not allowed to see webhooks; ask an owner' };
  }
}

/** Checks what the account or app can do in an organization, and whether its webhook calls us. */
export async function checkGitHub(
  clients: GitHubClients,
  organization: HostOrganization,
  url: string,
): Promise<RightsCheck[]> {
  const rights = clients.isApp
    ? await checkApp(clients, organization)
    : await checkToken(clients, organization);
  return [...rights, await checkHook(clients, organization, url)];
}
